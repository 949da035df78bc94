import assert from 'node:assert/strict'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { differenceImage } from '../../src/imaging/raster/measure/compare.ts'
import type { Pixels } from '../../src/imaging/types.ts'
import { packagedModels } from '../../src/local-models/registry.ts'
import { isInstalled } from '../../src/local-models/store.ts'
import { noModels } from '../../src/local-models/test-models.ts'
import { compare, toleranceOf } from './compare.ts'
import { context, fileOf, fromPng, type Golden, goldens, render, toPng } from './render.ts'

describe('every example of every operation still gives its golden image', { concurrency: 2 }, () => {
  for (const golden of goldens()) test(golden.name, { skip: missingModel(golden) }, () => check(golden))
})

test('every golden image has an example', async () => {
  const names = new Set(goldens().map(({ name }) => `${name}.png`))
  const files: string[] = []
  for await (const file of glob('*/*.png', { cwd: import.meta.dirname })) files.push(file)
  assert.ok(files.length >= 16, `found ${files.length}`)
  assert.deepEqual(
    files.map((file) => file.replaceAll('\\', '/')).filter((file) => !names.has(file)),
    [],
  )
})

/** Reason why it can't run here: models with some licences must be installed separately. */
function missingModel({ example: { requires } }: Golden): string | false {
  if (requires === undefined) return false
  const model = packagedModels.get(requires)
  assert.ok(model, `The local model ${requires} is not installed`)
  if (isInstalled(model)) return false
  return model.permissive ? noModels : `the model ${requires} is not installed: npx tintype models add ${requires}`
}

async function check(golden: Golden): Promise<void> {
  const update = `npm run golden -- --update ${golden.operation.id}`
  const bytes = await readFile(fileOf(golden.name)).catch(() => undefined)
  assert.ok(bytes, `test/golden/${golden.name}.png is missing. Make it, and look at it: ${update}`)
  const [expected, actual] = await Promise.all([fromPng(bytes), render(golden)])
  const problem = compare(actual, expected, toleranceOf(golden.operation.id))
  if (problem === undefined) return
  await keep(golden, expected, actual)
  assert.fail(`${golden.name} ${problem}. Compare the pictures in test/golden/.out; if the new one is right: ${update}`)
}

async function keep(golden: Golden, expected: Pixels, actual: Pixels): Promise<void> {
  await mkdir(new URL('.', fileOf(golden.name, '.out')), { recursive: true })
  const sameSize = actual.width === expected.width && actual.height === expected.height
  const diff = sameSize ? await differenceImage(expected, actual, 0, context) : undefined
  const pictures = { expected, actual, diff }
  for (const [kind, pixels] of Object.entries(pictures)) {
    if (pixels) await writeFile(fileOf(`${golden.name}.${kind}`, '.out'), await toPng(pixels))
  }
}
