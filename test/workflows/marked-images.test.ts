/**
 * No image of a generative model is ever unmarked, and no other image is marked: each operation of the catalogue runs as the
 * engine runs it, with images of a model in place of its inputs, one at a time and all together.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { systemClock } from '../../src/domain/clock.ts'
import { type Origin, origins } from '../../src/domain/images/origin.ts'
import { outputFormats } from '../../src/domain/workflows/output.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import { type RunResult, runPlan } from '../../src/engine/run/run.ts'
import { imageFromBytes } from '../../src/imaging/raster/image.ts'
import { createImaging } from '../../src/imaging/raster/imaging.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import { defineOperation, type Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { fakeModel } from '../golden/fake-model.ts'
import { context } from '../golden/render.ts'

/** A source of an example, made by a model or not. */
const sample = defineOperation({
  id: 'sample',
  version: 1,
  title: 'Sample',
  summary: 'Reads a sample.',
  keywords: [],
  group: 'source',
  inputs: {},
  params: Type.Object({ file: Type.String(), origin: Type.Optional(Type.Enum([...origins])) }),
  outputs: { image: 'The sample.' },
  alpha: 'kept',
  frames: 'whole',
  deterministic: true,
  examples: [],
  async run(_, { file, origin }) {
    const image = await imageFromBytes((await context.open(file)).bytes, context)
    return { image: origin ? { ...image, origin } : image }
  },
})

const check = createChecker(new Map([...catalogue, [sample.id, sample]]))
const imaging = createImaging({ processes: testProcesses, pixelsMax: 10e6 })

/** The origin of the result of a model, with inputs that no model made. Each operation that may call a model and gives an image is listed. */
const expectedOrigins: Record<string, Origin | undefined> = {
  generate: 'generated',
  edit: 'composite',
  inpaint: 'composite',
  // By a provider. A local model only scales.
  upscale: 'composite',
  // Only the alpha of the response is used.
  'remove-background': undefined,
  // They answer a question, and return an input as it is.
  describe: undefined,
  judge: undefined,
}

/** They may return one of their inputs as it is. */
const choosing = ['choose', 'similarity']

const operations = [...catalogue.values()].filter(({ outputs }) => outputs.image !== undefined)
const withInputs = operations.filter(({ inputs }) => Object.keys(inputs).length > 0)

async function run(nodes: object, output: object): Promise<RunResult> {
  const { workflow, issues } = check({ name: 'Any', nodes, output })
  assert.ok(workflow, JSON.stringify(issues))
  const { plan } = planExecution(workflow, {})
  assert.ok(plan)
  return runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 120,
    pixelsMax: 10e6,
    pixels: createPixelBudget(1e9, 1e9),
    open: context.open,
    invokeModel: (_, invocation) => fakeModel(invocation),
    encode: imaging.encode,
    clock: systemClock,
    onProgress: () => undefined,
  })
}

/** The first example, with `originAt` of each input. Undefined if it needs a model that isn't installed. */
async function originOf(operation: Operation, originAt: (index: number) => Origin | undefined, format = 'png') {
  const example = operation.examples.find(({ requires }) => requires === undefined)
  assert.ok(example, `${operation.id} has no example that every machine can run`)
  const nodes: Record<string, object> = {}
  let count = 0
  const add = (file: string, isNamed: boolean | undefined) => {
    const origin = originAt(count)
    // The params of a named socket contain the ids of its nodes, which are the names of the files.
    const id = isNamed ? file.replace(/\..*/, '') : `s${count}`
    nodes[id] = { type: 'sample', params: { file, ...(origin && { origin }) } }
    count += 1
    return id
  }
  const inputs = Object.fromEntries(
    Object.entries(example.inputs ?? {}).map(([name, files]) => [
      name,
      Array.isArray(files)
        ? files.map((file) => add(file, operation.inputs[name]?.named))
        : add(files, operation.inputs[name]?.named),
    ]),
  )
  nodes.last = { type: operation.id, inputs, params: example.params }
  const { output, fault, steps } = await run(nodes, { node: 'last', format })
  assert.ok(output, `${operation.id}: ${fault?.message}`)
  const file = await imageFromBytes(output.bytes ?? Buffer.alloc(0), context)
  assert.equal(file.origin, output.origin, `${operation.id}: the file and the record differ`)
  assert.equal(steps.find(({ node }) => node === 'last')?.origin, output.origin)
  return { origin: output.origin, count }
}

describe('an operation keeps the mark of every input', () => {
  for (const operation of withInputs.filter(({ usesModel }) => usesModel === undefined)) {
    const requires =
      operation.examples.every((example) => example.requires) && 'its examples need a model that not every machine has'
    test(operation.id, { skip: requires }, async () => {
      const { count, origin } = await originOf(operation, () => undefined)
      assert.equal(origin, undefined, 'without a model')
      assert.equal((await originOf(operation, () => 'generated')).origin, 'generated', 'all inputs')
      assert.equal((await originOf(operation, () => 'composite')).origin, 'composite', 'all inputs, in part')
      if (count < 2 || choosing.includes(operation.id)) return
      for (let index = 0; index < count; index += 1) {
        const { origin } = await originOf(operation, (at) => (at === index ? 'generated' : undefined))
        assert.equal(origin, 'composite', `input ${index + 1}`)
      }
    })
  }
})

describe('an operation that calls a model', () => {
  test('is listed', () => {
    const calling = operations.filter(({ usesModel }) => usesModel).map(({ id }) => id)
    assert.deepEqual(calling.sort(), Object.keys(expectedOrigins).sort())
  })
  for (const [id, expected] of Object.entries(expectedOrigins)) {
    test(`${id}: ${expected ?? 'no mark'}`, async () => {
      const operation = catalogue.get(id)
      assert.ok(operation)
      // The name of a model of a provider, so that the fake model responds.
      const byProvider = operation.examples.filter(({ requires }) => requires === undefined).slice(-1)
      const withInputs = { ...operation, examples: byProvider }
      assert.equal((await originOf(withInputs, () => undefined)).origin, expected)
      if (Object.keys(operation.inputs).length === 0) return
      assert.equal((await originOf(withInputs, () => 'generated')).origin, 'generated', 'of images of a model')
      assert.equal((await originOf(withInputs, () => 'composite')).origin, 'composite', 'of images that a model edited')
    })
  }
})

test('an operation without inputs and models gives an image without a mark', async () => {
  for (const operation of operations.filter(
    ({ inputs, usesModel, reads }) => Object.keys(inputs).length === 0 && usesModel === undefined && !reads?.sources,
  ))
    assert.equal((await originOf(operation, () => undefined)).origin, undefined, operation.id)
})

test('a chain of nested operations, lists and conditions keeps the mark in every format', async () => {
  const nodes = {
    scene: { type: 'generate', params: { prompt: 'A table', width: 320, height: 200 } },
    photo: { type: 'sample', params: { file: 'badge.png' } },
    small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 160 } },
    grey: { type: 'grayscale', inputs: { image: 'small' }, params: {} },
    skipped: { type: 'blur', inputs: { image: 'grey' }, params: { sigma: 3 }, when: '{{ 0 }}' },
    each: { type: 'rotate', inputs: { image: 'skipped' }, params: { angle: 90 }, each: ['a', 'b'] },
    sheet: { type: 'grid', inputs: { images: ['each', 'photo'] }, params: {} },
  }
  for (const format of outputFormats) {
    const { output, fault, steps } = await run(nodes, { node: 'sheet', format })
    assert.ok(output, fault?.message)
    assert.equal(output.origin, 'composite')
    assert.equal((await imageFromBytes(output.bytes ?? Buffer.alloc(0), context)).origin, 'composite', format)
    const shown = Object.fromEntries(steps.map(({ node, origin }) => [node, origin]))
    const generated = {
      scene: 'generated',
      small: 'generated',
      grey: 'generated',
      skipped: 'generated',
      each: 'generated',
    }
    assert.deepEqual(shown, { ...generated, photo: undefined, sheet: 'composite' })
  }
})
