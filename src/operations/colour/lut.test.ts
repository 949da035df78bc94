import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { Fault } from '../../errors.ts'
import { contextFor, noise, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, ramps, runOn } from '../../imaging/raster/test-run.ts'
import { limits } from '../../limits.ts'
import { lut } from './lut.ts'

type Look = (r: number, g: number, b: number) => number[]

test('a cube of a matrix look equals that matrix, for any size', async () => {
  const look: Look = (r, g, b) => [0.5 * r + 0.2 * g + 0.1, 0.7 * g + 0.3 * b, 0.4 * r + 0.4 * b - 0.1]
  for (const size of [2, 3, 7, 17]) {
    const looked = ([r = 0, g = 0, b = 0]: number[]) => look(r / 255, g / 255, b / 255).map((value) => value * 255)
    await assertFormula(lut, { cube: cubeOf(size, look) }, looked, 0.52)
  }
})

test('returns the entries of a cube exactly, red first and blue last', async () => {
  const look: Look = (r, g, b) => [(7 * r + 3 * g) % 1, (5 * g * b) % 1, Math.abs(Math.sin(9 * b + r))]
  // Every 17th of 0 to 255 is one of 16 entries.
  const at = (x: number, y: number) => [x * 17, y * 17, ((x + y) % 16) * 17]
  const pixels = await runOn(lut, { image: painted(16, 16, at) }, { cube: cubeOf(16, look) })
  for (let y = 0; y < 16; y += 1) {
    for (let x = 0; x < 16; x += 1) {
      const [r = 0, g = 0, b = 0] = at(x, y).map((value) => value / 255)
      const expected = look(r, g, b).map((value) => value * 255)
      for (const [i, value] of pixelAt(pixels, x, y).entries()) assert.ok(Math.abs(value - (expected[i] ?? 0)) <= 0.51)
    }
  }
})

test('interpolates each of the six tetrahedra from its four corners', async () => {
  // One corner is white and all else black: what comes out is the share of that corner.
  const corners = [0, 1, 2, 3, 4, 5, 6, 7]
  const colors = [
    [200, 120, 40],
    [200, 40, 120],
    [120, 200, 40],
    [40, 200, 120],
    [120, 40, 200],
    [40, 120, 200],
  ]
  for (const color of colors) {
    const [most = 0, middle = 0, least = 0] = color.toSorted((a, b) => b - a)
    const first = 1 << color.indexOf(most)
    const shares = new Map([
      [0, 255 - most],
      [first, most - middle],
      [first | (1 << color.indexOf(middle)), middle - least],
      [7, least],
    ])
    for (const corner of corners) {
      const cube = cubeOf(2, (r, g, b) => Array(3).fill(r + 2 * g + 4 * b === corner ? 1 : 0))
      const pixels = await runOn(lut, { image: painted(1, 1, () => color) }, { cube })
      assert.ok(Math.abs((pixelAt(pixels, 0, 0)[0] ?? 0) - (shares.get(corner) ?? 0)) <= 0.51, `${color}: ${corner}`)
    }
  }
})

test('a one-dimensional table is a curve for each channel', async () => {
  const cube = 'LUT_1D_SIZE 3\n0 1 .5\n1 1 .5\n0 0 .5\n'
  const tent = (value: number) => (value < 127.5 ? 2 * value : 510 - 2 * value)
  await assertFormula(lut, { cube }, ([r, g]) => [tent(r), g < 127.5 ? 255 : 510 - 2 * g, 127.5], 0.51)
})

test('the domain maps the entries, and colours outside use its edge', async () => {
  const cube = 'LUT_1D_SIZE 2\nDOMAIN_MIN 0.2 0 0\nDOMAIN_MAX 0.6 2 1\n0 0 0\n1 1 1\n'
  await assertFormula(lut, { cube }, ([r, g, b]) => [(r - 51) * 2.5, g / 2, b])
})

test('the amount mixes, and 0 changes nothing', async () => {
  const cube = cubeOf(2, (r, g, b) => [1 - r, 1 - g, 1 - b])
  await assertFormula(lut, { cube, amount: 0.25 }, (pixel) => pixel.map((value) => 63.75 + value / 2), 1.01)
  await assertFormula(lut, { cube, amount: 0 }, (pixel) => pixel, 0)
})

test('a Hald image equals its cube, and the identity Hald image changes nothing', async () => {
  const look: Look = (r, g, b) => [g, b * 0.5, 1 - r]
  for (const level of [2, 4]) {
    const [size, side] = [level ** 2, level ** 3]
    const hald = (graded: Look) =>
      painted(side, side, (x, y) => {
        const at = y * side + x
        const [r = 0, g = 0, b = 0] = [at % size, Math.floor(at / size) % size, Math.floor(at / size ** 2)]
        return graded(r / (size - 1), g / (size - 1), b / (size - 1)).map((value) => Math.round(value * 255))
      })
    for (const image of ramps) {
      const same = await runOn(lut, { image, hald: hald((r, g, b) => [r, g, b]) }, {})
      const [before, after] = [
        await runOn(lut, { image }, { cube: cubeOf(size, look) }),
        await runOn(lut, { image, hald: hald(look) }, {}),
      ]
      for (let at = 0; at < before.data.length; at += 1) {
        // The Hald image has 8 bits.
        assert.ok(Math.abs((same.data[at] ?? 0) - (image.pixels?.data[at] ?? 0)) <= 1)
        assert.ok(Math.abs((before.data[at] ?? 0) - (after.data[at] ?? 0)) <= 1)
      }
    }
  }
})

test('rejects a Hald image of a wrong size, with the right sizes', async () => {
  for (const [width, height] of [
    [64, 63],
    [60, 60],
    [1, 1],
    [729, 729],
  ] as const) {
    const hald = painted(width, height, () => [0, 0, 0])
    await assert.rejects(
      runOn(lut, { image: hald, hald }, {}),
      new RegExp(`at "hald" must be .* 512 .* not ${width} x ${height}`),
    )
  }
})

const image = painted(2, 2, () => [10, 20, 30])
const cube = cubeOf(2, (r, g, b) => [b, r, g])

test('reads a .cube file from its URL once for all frames of an execution', async () => {
  const opened: string[] = []
  const open = async (source: string) => {
    opened.push(source)
    return { bytes: Buffer.from(cube) }
  }
  const context = contextFor({ open })
  const source = 'https://example.com/a.cube'
  for (let frame = 0; frame < 3; frame += 1) {
    assert.deepEqual(pixelAt(await runOn(lut, { image }, { source }, context), 0, 0), [30, 10, 20])
  }
  assert.deepEqual(opened, [source])
  await runOn(lut, { image }, { source }, contextFor({ open }))
  assert.equal(opened.length, 2)
})

test('rejects a file that is an image or too large', async () => {
  const run = (bytes: Buffer) =>
    runOn(lut, { image }, { source: 'https://example.com/a.cube' }, contextFor({ open: async () => ({ bytes }) }))
  const png = await (await noise(8, 8)).png().toBuffer()
  await assert.rejects(run(png), /is an image \(png\).*"hald"/)
  const padded = (bytes: number) => Buffer.concat([Buffer.from(cube), Buffer.alloc(bytes - cube.length, '\n')])
  assert.deepEqual(pixelAt(await run(padded(limits.lutBytesMax)), 0, 0), [30, 10, 20])
  await assert.rejects(
    run(padded(limits.lutBytesMax + 1)),
    (error) => error instanceof Fault && error.details.reason === 'limit_exceeded',
  )
})

test('accepts a text up to its limit, and rejects a longer one when the workflow is saved', () => {
  assert.deepEqual(checker(lut.params)({ cube: '#'.repeat(limits.lutCharsMax) }), [])
  assert.equal(checker(lut.params)({ cube: '#'.repeat(limits.lutCharsMax + 1) })[0]?.path, 'cube')
})

test('requires exactly one look', async () => {
  await assert.rejects(runOn(lut, { image }, {}), /one of "source", "cube" and the input "hald", not none of them/)
  await assert.rejects(runOn(lut, { image, hald: image }, { cube }), /not `hald` and `cube`/)
  assert.deepEqual(checker(lut.params)({ cube, source: 'https://example.com/a.cube' }), [
    { path: '', message: 'accepts "source" or "cube", not both' },
  ])
})

function cubeOf(size: number, look: Look): string {
  const lines = Array.from({ length: size ** 3 }, (_, at) => {
    const [r, g, b] = [at % size, Math.floor(at / size) % size, Math.floor(at / size ** 2)]
    return look(r / (size - 1), g / (size - 1), b / (size - 1)).join(' ')
  })
  return [`LUT_3D_SIZE ${size}`, ...lines].join('\n')
}
