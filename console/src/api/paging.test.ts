import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstThousand } from './paging.ts'

test('a list for a field has all pages, up to ten', async () => {
  for (const [total, expected, pages] of [
    [0, 0, 1],
    [100, 100, 1],
    [101, 101, 2],
    [1_200, 1_000, 10],
  ] as const) {
    const all = Array.from({ length: total }, (_, index) => index)
    let reads = 0
    const rows = await firstThousand(async ({ limit, cursor }) => {
      reads++
      const end = Number(cursor ?? 0) + limit
      return { rows: all.slice(end - limit, end), cursor: end < total ? String(end) : null }
    })
    assert.deepEqual(rows, all.slice(0, expected))
    assert.equal(reads, pages)
  }
})
