import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../api/client.ts'
import type { ImageUses } from '../../api/images.ts'
import { usedImages } from './used-images.ts'

const none: ImageUses = { workflows: [], hasMore: false }
const use: ImageUses = { workflows: [{ workflowId: 'wf_1', name: 'Card', version: 2, draft: false }], hasMore: false }

test('returns the images that workflows use or may use, in their order', async () => {
  const uses: Record<string, ImageUses> = { b: use, e: { ...none, hasMore: true } }
  const found = await usedImages(['a', 'b', 'c', 'd', 'e'], async (id) => uses[id] ?? none)
  assert.deepEqual(found, [
    { id: 'b', ...use },
    { id: 'e', workflows: [], hasMore: true },
  ])
})

test('sends at most four requests at a time', async () => {
  let open = 0
  let most = 0
  await usedImages(
    Array.from({ length: 11 }, (_, index) => String(index)),
    async () => {
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      return none
    },
  )
  assert.equal(most, 4)
})

test('an image that was deleted elsewhere has no uses, and any other error is reported', async () => {
  const failing = (status: number) => () => Promise.reject(new ApiError(status, undefined))
  assert.deepEqual(await usedImages(['a'], failing(404)), [])
  await assert.rejects(usedImages(['a'], failing(403)), ApiError)
})
