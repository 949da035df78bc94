import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../domain/accounts/key.ts'
import { limits } from '../../limits.ts'
import { createRunLinks, RunLinkLimit } from './run-links.ts'

const link = { account: { id: 'acct_1' }, key: { id: 'key_1' } } as Caller

test('uploads of a link are limited in 24 hours, and those that the minute refuses are not counted', async () => {
  const days = new Map<string, number>()
  let inMinute = 0
  let discarded = 0
  const runLinks = createRunLinks({
    counter: {
      async count(id: string, _limit: number, windowSeconds = 60) {
        if (windowSeconds === 60) return { used: ++inMinute, resetsInMs: 30_000 }
        const used = (days.get(id) ?? 0) + 1
        days.set(id, used)
        return { used, resetsInMs: 7_200_000 }
      },
    },
    images: { store: async () => ({ id: 'img_1' }) },
  } as unknown as Parameters<typeof createRunLinks>[0])
  const file = { bytes: 1, fileName: 'a.png', discard: async () => void discarded++ }
  const upload = () =>
    runLinks.upload(link, file as unknown as Parameters<typeof runLinks.upload>[1], {
      once: undefined,
      signal: AbortSignal.any([]),
    })
  const refusedBy = (limit: number, retryAfterSeconds: number) => (error: unknown) => {
    assert.ok(error instanceof RunLinkLimit)
    assert.deepEqual(error.details, { limit, retryAfterSeconds })
    return true
  }

  inMinute = limits.runLinkUploadsPerMinuteMax
  await assert.rejects(upload(), refusedBy(limits.runLinkUploadsPerMinuteMax, 30))
  assert.equal(days.size, 0)
  for (let n = 0; n < limits.runLinkUploadsPerDayMax; n++) {
    inMinute = 0
    await upload()
  }
  inMinute = 0
  await assert.rejects(upload(), refusedBy(limits.runLinkUploadsPerDayMax, 7_200))
  assert.equal(discarded, 2)
})
