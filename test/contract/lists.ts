/** Guarantees of every paged list. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PageRequest } from '../../src/domain/page.ts'
import { ids, readAll } from './records.ts'

interface Listing {
  /** Stores one more item with this id and time, and returns its id. */
  add(createdAt: number): Promise<string>
  /** Has no total if the list is not counted. */
  list(page: PageRequest): Promise<{ items: { id: string; createdAt: number }[]; total?: number }>
  /** Stores a similar item for another account. */
  addElsewhere(createdAt: number): Promise<void>
}

/** Tests a list of which only the added items are compared. */
export function listContract(noun: string, open: (t: TestContext) => Promise<Listing>): void {
  test(`${noun} are listed newest first, those of one time by id, and each once over all pages`, async (t) => {
    const { add, list } = await open(t)
    const times = [50, 10, 30, 30, 30, 20, 40]
    const added = await Promise.all(times.map(async (createdAt) => ({ createdAt, id: await add(createdAt) })))
    const expected = added.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    for (const limit of [1, 2, 3, 7, 100]) assert.deepEqual(ids(await readAll(list, limit)), ids(expected))
  })

  test(`a page of ${noun} has the total number, also after the end`, async (t) => {
    const { add, list } = await open(t)
    const empty = await list({ limit: 10, offset: 0 })
    assert.deepEqual([empty.items, empty.total ?? 0], [[], 0])
    for (let i = 0; i < 5; i++) await add(i)
    for (const limit of [2, 5, 6]) {
      for (const offset of [0, 3, 4, 5, 50]) {
        const page = await list({ limit, offset })
        assert.equal(page.total ?? 5, 5)
        assert.equal(page.items.length, Math.max(0, Math.min(limit, 5 - offset)))
      }
    }
  })

  test(`no ${noun} are missed if more are added between two pages`, async (t) => {
    const { add, list } = await open(t)
    const before = new Set<string>()
    for (let i = 0; i < 7; i++) before.add(await add(i))
    const seen = new Set<string>()
    for (let offset = 0; offset < 20; offset += 2) {
      for (const { id } of (await list({ limit: 2, offset })).items) seen.add(id)
      await add(100 + offset)
    }
    assert.deepEqual(
      [...before].filter((id) => !seen.has(id)),
      [],
    )
  })

  test(`${noun} of another account are neither listed nor counted`, async (t) => {
    const { add, list, addElsewhere } = await open(t)
    const id = await add(1)
    await addElsewhere(2)
    const page = await list({ limit: 1, offset: 0 })
    assert.deepEqual(ids(page.items), [id])
    assert.equal(page.total ?? 1, 1)
  })
}
