import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImageValue } from '../../imaging/types.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { createPixelHashing } from './pixel-hashes.ts'

const never = new AbortController().signal

function imageOf(bytes: number[], more: Partial<ImageValue> = {}): ImageValue {
  const [width, height] = [bytes.length / 3, 1]
  const pixels = { data: Buffer.from(bytes), width, height, channels: 3 as const }
  return { width, height, hasAlpha: false, format: 'raw', pixels, ...more }
}

async function hashesOf(images: Record<string, ImageValue>, isWanted = (_: ImageValue) => true) {
  const hashing = createPixelHashing(createPixelBudget(1e6, 1e6).open(), never, isWanted)
  for (const [id, image] of Object.entries(images)) hashing.offer(id, { image, values: {}, skipped: false }, false)
  return Object.fromEntries(await hashing.hashes())
}

test('equal pixels have equal hashes; another byte, shape or duration has another one', async () => {
  const one = imageOf([1, 2, 3, 4, 5, 6])
  const tall = { ...one.pixels, data: Buffer.from([1, 2, 3, 4, 5, 6]), width: 1, height: 2, channels: 3 as const }
  const frames = [one, one]
  const { a, b, ...others } = await hashesOf({
    a: one,
    b: imageOf([1, 2, 3, 4, 5, 6], { format: 'png' }),
    changed: imageOf([1, 2, 3, 4, 5, 7]),
    tall: { ...one, width: 1, height: 2, pixels: tall },
    moving: { ...one, animation: { delaysMs: [10, 10], loops: 0, frames } },
    slower: { ...one, animation: { delaysMs: [10, 20], loops: 0, frames } },
  })
  assert.match(a ?? '', /^[0-9a-f]{24}$/)
  assert.equal(a, b)
  assert.equal(new Set([a, ...Object.values(others)]).size, 5)
})

test('an image without pixels in memory has no hash, and neither has one that is not wanted', async () => {
  const encoded = { ...imageOf([1, 2, 3]), pixels: undefined, encoded: Buffer.from('file') } as unknown as ImageValue
  const generated = imageOf([1, 2, 3], { origin: 'generated' })
  const hashes = await hashesOf({ encoded, plain: imageOf([1, 2, 3]), generated }, ({ origin }) => origin !== undefined)
  assert.deepEqual(Object.keys(hashes), ['generated'])
})

test('a list has one hash, which depends on the order', async () => {
  const hashing = createPixelHashing(createPixelBudget(1e6, 1e6).open(), never, () => true)
  const [a, b] = [imageOf([1, 2, 3]), imageOf([4, 5, 6])]
  const listOf = (images: ImageValue[]) => {
    const results = images.map((image) => ({ image, values: {}, skipped: false }))
    return {
      image: undefined,
      values: {},
      skipped: false,
      list: { results, items: images, origins: new Set(['list']) },
    }
  }
  hashing.offer('list', listOf([a, b]), false)
  hashing.offer('turned', listOf([b, a]), false)
  const hashes = await hashing.hashes()
  assert.equal(hashes.size, 2)
  assert.notEqual(hashes.get('list'), hashes.get('turned'))
})

test('the hash of a source is that of its file, also if the file is not decoded', async () => {
  const sourceOf = (sha256: string): ImageValue =>
    ({ ...imageOf([1]), pixels: undefined, madeFrom: { models: [], sources: [{ sha256, format: 'png' }] } }) as never
  const hashing = createPixelHashing(createPixelBudget(1e6, 1e6).open(), never, () => false)
  for (const [id, sha256] of Object.entries({ a: 'one', b: 'one', c: 'two' }))
    hashing.offer(id, { image: sourceOf(sha256), values: {}, skipped: false }, true)
  const { a, b, c } = Object.fromEntries(await hashing.hashes())
  assert.equal(a, b)
  assert.notEqual(a, c)
})

test('the memory of an image is held until its hash is done', async () => {
  const budget = createPixelBudget(1e6, 1e6)
  const share = budget.open()
  const held: number[] = []
  const lend = (image: ImageValue) => {
    const release = share.lend(image)
    held.push(1)
    return () => {
      held.pop()
      release()
    }
  }
  const hashing = createPixelHashing({ ...share, lend }, never, () => true)
  hashing.offer('a', { image: imageOf([1, 2, 3]), values: {}, skipped: false }, false)
  assert.equal(held.length, 1)
  await hashing.hashes()
  assert.equal(held.length, 0)
})
