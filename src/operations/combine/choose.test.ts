import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextFor, painted } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { choose } from './choose.ts'

const flat = (grey: number) => painted(40, 30, () => [grey, grey, grey])
const stripes = (low: number, high: number) =>
  painted(40, 30, (x) => (x % 8 < 4 ? [low, low, low] : [high, high, high]))
const images = [flat(90), stripes(0, 255), flat(220), stripes(100, 140)]

async function chosen(params: Record<string, unknown>, more: { reference?: ImageValue } = {}) {
  const filled = { by: 'index', pick: 'most', index: 0, color: 'white', ...params }
  const { image, ...values } = await choose.run(
    { images, reference: undefined, ...more } as never,
    filled,
    contextFor(),
  )
  return { image, values: values as { index: number; score: number | null; scores: number[] } }
}

test('returns the image at an index, from the start and from the end', async () => {
  for (const [index, expectedIndex] of [
    [0, 0],
    [2, 2],
    [-1, 3],
    [-4, 0],
  ] as const) {
    const { image, values } = await chosen({ index })
    assert.equal(image, images[expectedIndex])
    assert.deepEqual(values, { index: expectedIndex, score: null, scores: [] })
  }
  await assert.rejects(chosen({ index: 4 }), /Image 4 doesn't exist. The list has 4 images: 0 to 3/)
  await assert.rejects(chosen({ index: -5 }), /Image -5 doesn't exist/)
})

test('returns the image of a case, and the last one for all other values if it has no case', async () => {
  const four = ['a', 'b', 'c', 'd']
  for (const [value, cases, expectedIndex] of [
    ['c', four, 2],
    ['d', four.slice(0, 3), 3],
    ['', four.slice(0, 3), 3],
  ] as const) {
    const { image, values } = await chosen({ by: 'value', value, cases })
    assert.equal(image, images[expectedIndex])
    assert.deepEqual(values, { index: expectedIndex, score: null, scores: [] })
  }
  await assert.rejects(
    chosen({ by: 'value', value: 'A', cases: four }),
    /`value` is "A", which is not one of `cases`: "a", "b"/,
  )
  await assert.rejects(chosen({ by: 'value', value: 'a', cases: ['a', 'b'] }), /`cases` has 2 texts for 4 images/)
  await assert.rejects(chosen({ by: 'value', cases: four }), /`value` is ""/)
})

const cases: [Record<string, unknown>, number][] = [
  [{ by: 'brightness' }, 2],
  [{ by: 'brightness', pick: 'least' }, 0],
  [{ by: 'contrast' }, 1],
  [{ by: 'sharpness' }, 1],
  // Equal: the first.
  [{ by: 'sharpness', pick: 'least' }, 0],
  [{ by: 'text-contrast', color: 'black' }, 2],
  [{ by: 'text-contrast', color: 'white' }, 0],
]

for (const [params, expected] of cases) {
  test(`${JSON.stringify(params)} chooses the right image and returns the scores of all`, async () => {
    const { image, values } = await chosen(params)
    assert.equal(values.index, expected)
    assert.equal(image, images[expected])
    assert.equal(values.scores.length, 4)
    assert.equal(values.score, values.scores[expected])
  })
}

test('text contrast is the WCAG contrast at the position of the text', async () => {
  const { values } = await chosen({ by: 'text-contrast', color: '#ffffff' })
  // Grey 90 has a relative luminance of 0.1022.
  assert.ok(Math.abs((values.scores[0] ?? 0) - 1.05 / (0.1022 + 0.05)) < 0.02, `${values.scores[0]}`)
  const halves = painted(40, 30, (x) => (x < 20 ? [0, 0, 0] : [255, 255, 255]))
  const filled = {
    by: 'text-contrast',
    pick: 'most',
    index: 0,
    color: 'white',
    box: { x: 0, y: 0, width: 18, height: 30 },
  }
  const run = (box: object) =>
    choose.run({ images: [halves], reference: undefined } as never, { ...filled, box }, contextFor())
  assert.equal((await run({ x: 0, y: 0, width: 18, height: 30 })).score, 21)
  assert.equal((await run({ x: 22, y: 0, width: 18, height: 30 })).score, 1)
  await assert.rejects(run({ x: 30, y: 0, width: 18, height: 30 }), /extends beyond the image, which is 40 x 30/)
})

test('chooses the most similar image to the reference, and requires one', async () => {
  assert.equal((await chosen({ by: 'similarity' }, { reference: stripes(10, 240) })).values.index, 1)
  await assert.rejects(chosen({ by: 'similarity' }), /connect an image to `reference`/)
})
