import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../../test/harness/repetitions.ts'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { isFault } from '../test-faults.ts'
import { contextFor } from '../test-images.ts'
import { parseCube } from './cube.ts'

const context = contextFor()
const corners = ['0 0 0', '1 0 0', '0 1 0', '1 1 0', '0 0 1', '1 0 1', '0 1 1', '1 1 1']

test('reads a cube with comments, title, domain and table, with any line ends', async () => {
  const text = [
    `# a look ${'x'.repeat(400)}`,
    'TITLE "A look # 1"',
    '',
    'LUT_3D_SIZE 2',
    'DOMAIN_MIN 0 0 -0.5',
    'DOMAIN_MAX 1 2 1.5e0',
  ]
  for (const end of ['\n', '\r\n', ' \n']) {
    const lut = await parseCube([...text, ...corners.slice(0, 4), '# half', ...corners.slice(4)].join(end), context)
    assert.deepEqual([lut.dimensions, lut.size, lut.min, lut.max], [3, 2, [0, 0, -0.5], [1, 2, 1.5]])
    assert.equal([...lut.values].join(' '), corners.join(' '))
  }
})

test('reads a one-dimensional table, and the ranges of Resolve', async () => {
  const lut = await parseCube('LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -0.5 2\n0 0 0\n-.5 .5 1e-1\n1.5 1 1', context)
  assert.deepEqual([lut.dimensions, lut.size, lut.min, lut.max], [1, 3, [-0.5, -0.5, -0.5], [2, 2, 2]])
  assert.deepEqual([...lut.values], [0, 0, 0, -0.5, 0.5, Math.fround(0.1), 1.5, 1, 1])
})

const broken: [string, RegExp][] = [
  ['', /^Line 0 of the .cube file: LUT_1D_SIZE or LUT_3D_SIZE must come/],
  ['0 0 0\nLUT_3D_SIZE 2', /^Line 1 of the .cube file: LUT_1D_SIZE or LUT_3D_SIZE must come/],
  ['LUT_3D_SIZE 2\n0 0 0\n0 0', /^Line 3 of the .cube file: "0 0" must be 3 numbers\./],
  ['LUT_3D_SIZE 2\n0 0 0\n0 0 0x', /^Line 3 of the .cube file: "0x" is not a number\./],
  ['LUT_3D_SIZE 2\n0 0 1e40', /^Line 2 of the .cube file: "1e40" is not a number\./],
  ['LUT_3D_SIZE 2\n0 0 0\n\n', /^Line 3 of the .cube file: the table has 1 line, but LUT_3D_SIZE 2 requires 8\./],
  [['LUT_3D_SIZE 2', ...corners, '1 1 1'].join('\n'), /^Line 10 .* more lines than LUT_3D_SIZE 2 requires/],
  [['LUT_3D_SIZE 2', ...corners, 'TITLE "late"'].join('\n'), /^Line 10 .*"TITLE" must come before the table/],
  ['LUT_3D_SIZE 2\nLUT_1D_SIZE 2', /^Line 2 .* second size/],
  ['LUT_3D_SIZE 1', /^Line 1 .* must be a whole number from 2, not 1/],
  ['LUT_3D_SIZE 2.5', /^Line 1 .* not 2.5/],
  ['LUT_3D_SIZE', /^Line 1 .*"" must be 1 number\./],
  ['LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE', /^Line 2 .*"LUT_IN_VIDEO_RANGE" is not a known keyword/],
  [
    'LUT_3D_SIZE 2\nDOMAIN_MIN 0 1 0\n0 0 0',
    /^Line 3 .* maximum of the domain must be greater than its minimum \(1\), not 1/,
  ],
  [`TITLE "${'a'.repeat(243)}"`, /^Line 1 .* more than 250 characters/],
  ['<!doctype html>', /^Line 1 of the .cube file: .* LUT_3D_SIZE/],
]

for (const [text, message] of broken) {
  test(`rejects the cube ${JSON.stringify(text.slice(0, 50))} and names its line`, async () => {
    await assert.rejects(parseCube(text, context), isFault('input_invalid', message))
  })
}

test('accepts sizes up to the limits', async () => {
  const most = limits.lutCubeSizeMax
  const cube = await parseCube(`LUT_3D_SIZE ${most}\n${'0 0 0\n'.repeat(most ** 3)}`, context)
  assert.equal(cube.values.length, 3 * most ** 3)
  const curve = await parseCube(
    `LUT_1D_SIZE ${limits.lutCurveSizeMax}\n${'0 0 0\n'.repeat(limits.lutCurveSizeMax)}`,
    context,
  )
  assert.equal(curve.size, limits.lutCurveSizeMax)
  for (const text of [`LUT_3D_SIZE ${most + 1}`, `LUT_1D_SIZE ${limits.lutCurveSizeMax + 1}`]) {
    await assert.rejects(parseCube(text, context), isFault('limit_exceeded'))
  }
})

test('reads any text or rejects it with a clear error', async () => {
  const word = fc.constantFrom(
    'LUT_3D_SIZE',
    'LUT_1D_SIZE',
    'DOMAIN_MAX',
    'TITLE',
    '2',
    '1',
    '0',
    '-1',
    '#',
    '\n',
    '\r\n',
    '\0',
    'é',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
      try {
        await parseCube(words.join(' '), context)
      } catch (error) {
        assert.ok(error instanceof Fault, String(error))
      }
    }),
    { numRuns: repetitions(60, 300) },
  )
})

test('stops reading a long table when the execution ends', async () => {
  const controller = new AbortController()
  const work = parseCube(`LUT_3D_SIZE 65\n${'0 0 0\n'.repeat(65 ** 3)}`, contextFor({ signal: controller.signal }))
  controller.abort()
  await assert.rejects(work, isFault('cancelled'))
})
