import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../domain/accounts/key.ts'
import { limits } from '../../limits.ts'
import { createRunLinks, RunLinkLimit } from './run-links.ts'

const link = { account: { id: 'acct_1' }, key: { id: 'key_1' } } as Caller

test('uploads of a link are limited in 24 hours', async () => {
  const days = new Map<string, number>()
  let discarded = 0
  const runLinks = createRunLinks({
    counter: {
      async count(id: string, _limit: number, windowSeconds = 60) {
        assert.equal(windowSeconds, 86_400)
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

  for (let n = 0; n < limits.runLinkUploadsPerDayMax; n++) await upload()
  await assert.rejects(upload(), (error: unknown) => {
    assert.ok(error instanceof RunLinkLimit)
    assert.deepEqual(error.details, { limit: limits.runLinkUploadsPerDayMax, retryAfterSeconds: 7_200 })
    return true
  })
  assert.equal(discarded, 1)
})
