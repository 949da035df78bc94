/**
 * The frames of the steps of all examples agree with pixels. For each step the test makes its element plain (an opaque overlay, a text on a plain
 * background, an input of one colour), runs the step twice with another colour, and compares the frame with the pixels that change.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { Frame } from '../../shared/frames.ts'
import { replaceImagePaths } from '../../src/cli/image-paths.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import { runPlan } from '../../src/engine/run/run.ts'
import { imageFromPixels, pixelsOf } from '../../src/imaging/raster/image.ts'
import { createImaging } from '../../src/imaging/raster/imaging.ts'
import { cut } from '../../src/imaging/raster/region.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import type { ImageValue, Pixels } from '../../src/imaging/types.ts'
import type { Operation, OperationContext } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { context } from '../golden/render.ts'
import { boundsOfChange, boundsOfFrame, overlapOf } from '../harness/frame-pixels.ts'
import { agreement, elementAgreements } from '../html/element-agreements.ts'

const examples = new URL('../../examples/workflows/', import.meta.url)
/** Workflows for frames only: no threshold was chosen with them. */
const others = new URL('./frame-workflows/', import.meta.url)
const filesIn = (folder: URL) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => new URL(name, folder))

type Inputs = Record<string, ImageValue | ImageValue[] | undefined>
type Params = Record<string, unknown>

interface Call {
  node: string
  operation: Operation
  inputs: Inputs
  params: Params
  wires: OperationContext['wires']
}

interface Agreement {
  where: string
  overlap: number
}

const suites = [
  { name: 'the examples', files: filesIn(examples), least: 100 },
  { name: 'other workflows', files: filesIn(others), least: 20 },
]

for (const { name, files, least } of suites)
  test(`the frame of a step is where its pixels change: ${name}`, async (t) => {
    const all: Agreement[] = []
    const compared = new Map<string, number>()
    for (const file of files)
      for (const call of await callsOf(file))
        for (const { where, overlap } of await agreementsOf(call)) {
          all.push({ where: `${file.pathname.replace(/.*\//, '')} ${where}`, overlap })
          compared.set(call.operation.id, (compared.get(call.operation.id) ?? 0) + 1)
        }
    const wrong = all.filter(({ overlap }) => overlap < agreement)
    for (const { where, overlap } of wrong) t.diagnostic(`${where}: ${overlap.toFixed(3)}`)
    t.diagnostic(`${all.length} elements of ${files.length} workflows, ${wrong.length} below ${agreement}`)
    t.diagnostic([...compared].map(([id, count]) => `${id} ${count}`).join(', '))
    assert.ok(all.length >= least, `${all.length} elements`)
    assert.ok(wrong.length <= all.length / 100)
  })

/** The runs of operations in an execution of an example, as far as it gets without models. */
async function callsOf(file: URL): Promise<Call[]> {
  const calls: Call[] = []
  const recording = new Map(
    [...catalogue].map(([id, operation]) => {
      const run: Operation['run'] = (inputs, params, runContext) => {
        calls.push({ node: id, operation, inputs, params: params as Params, wires: runContext.wires })
        return operation.run(inputs, params, { ...runContext, mayStayPending: false })
      }
      return [id, { ...operation, run }]
    }),
  )
  const paths: string[] = []
  const { slug: _, ...document } = parse(readFileSync(file, 'utf8'))
  await replaceImagePaths(document, async (path) => `img_${String(paths.push(path) - 1).padStart(28, '0')}`)
  const { workflow, issues } = createChecker(recording)(document)
  assert.ok(workflow, JSON.stringify(issues))
  const { plan } = planExecution(workflow, {})
  assert.ok(plan)
  const { fault } = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 60,
    pixelsMax: 4e7,
    pixels: createPixelBudget(1e9, 1e9),
    open: async (source) => ({ bytes: await readFile(new URL(paths[Number(source.slice(4))] ?? '', file)) }),
    encode: createImaging({ processes: testProcesses, pixelsMax: 4e7 }).encode,
    clock: systemClock,
    onProgress: () => undefined,
  })
  // Files of named outputs aren't encoded here.
  if (fault && !/model/.test(fault.message) && !/primary output/.test(String(fault.cause))) throw fault
  return calls
}

async function agreementsOf(call: Call): Promise<Agreement[]> {
  const { operation, params, inputs, wires } = call
  if (operation.id === 'html') {
    const { html, css, width, height } = params as { html: string; css: string; width: number; height?: number }
    const card = { html, css, width, ...(height !== undefined && { height }), images: [...(wires?.images ?? [])] }
    const found = await elementAgreements(card, inputs.images as ImageValue[])
    return found.map(({ frame, overlap }) => ({ where: `html ${frame.id}`, overlap }))
  }
  if (operation.id in keptAreas) return keptAgreements(call)
  const plain = plainOf(call)
  if (plain === undefined) return []
  const [one, other] = [await run(call, plain(red)), await run(call, plain(green))]
  const change = await boundsOfChange(one.pixels, other.pixels, context, 2)
  const id = elements[operation.id]
  const frame = one.frames.find((each) => each.id === id)
  if (frame === undefined) return []
  const expected = boundsOfFrame(frame, one.pixels)
  return expected && change ? [{ where: `${operation.id} ${id}`, overlap: overlapOf(expected, change) }] : []
}

/** The frames of the elements that are drawn. */
const elements: Record<string, string> = {
  composite: 'overlay',
  text: 'ink',
  watermark: 'mark',
  rotate: 'image',
  perspective: 'corners',
  qr: 'code',
  barcode: 'code',
  gradient: 'size',
  chart: 'size',
}

/** The frames of the areas whose pixels are the result. */
const keptAreas: Record<string, string> = { crop: 'crop', trim: 'content' }

const [red, green] = ['#ff0000', '#00ff00']

/** The step with one colour for the element, and nothing else that changes. */
function plainOf({
  operation,
  inputs,
  params,
}: Call): ((color: string) => { inputs: Inputs; params: Params }) | undefined {
  const flat = (image: Inputs[string], color: string) =>
    image && !Array.isArray(image) ? flatImage(image, color) : image
  switch (operation.id) {
    case 'composite':
      return (color) => ({
        inputs: { image: flat(inputs.image, '#0000ff'), overlay: flat(inputs.overlay, color) },
        params: { ...params, blend: 'over', opacity: 1, tile: false },
      })
    case 'text': {
      const { shadow: _, gradient: __, background: ___, ...others } = params
      return (color) => ({
        inputs: { image: flat(inputs.image, '#0000ff') },
        params: { ...others, markup: false, color, outlineColor: color },
      })
    }
    case 'watermark':
      if (inputs.mark === undefined) return undefined
      return (color) => ({
        inputs: { image: flat(inputs.image, '#0000ff'), mark: flat(inputs.mark, color) },
        params: { ...params, opacity: 1, repeat: 'none' },
      })
    case 'rotate':
    case 'perspective':
      return (color) => ({ inputs: { image: flat(inputs.image, color) }, params })
    case 'qr':
      return (color) => ({ inputs: {}, params: { ...params, color } })
    case 'barcode':
      return (color) => ({ inputs: {}, params: { ...params, color, showText: false } })
    case 'gradient':
      return (color) => ({ inputs: {}, params: { ...params, from: color, to: color } })
    case 'chart':
      return (color) => ({ inputs: {}, params: { ...params, background: color } })
    default:
      return undefined
  }
}

function flatImage({ width, height }: ImageValue, color: string): ImageValue {
  const pixel = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const data = Buffer.alloc(width * height * 3, Buffer.from(pixel))
  return imageFromPixels({ data, width, height, channels: 3 })
}

async function run({ operation, wires }: Call, { inputs, params }: { inputs: Inputs; params: Params }) {
  const { image, drawn } = await operation.run(inputs as never, params as never, { ...context, wires })
  assert.ok(image)
  const frames: Frame[] = drawn ?? operation.drawn?.(params as never, inputs as never, image) ?? []
  return { pixels: await pixelsOf(image, context), frames }
}

/** The result has exactly the pixels of the frame. */
async function keptAgreements(call: Call): Promise<Agreement[]> {
  const { operation, inputs, params } = call
  const { pixels, frames } = await run(call, { inputs, params })
  const frame = frames.find(({ id }) => id === keptAreas[operation.id]) ?? assert.fail()
  const image = await pixelsOf(inputs.image as ImageValue, context)
  const area = boundsOfFrame(frame, image) ?? assert.fail()
  const kept: Pixels = await cut(image, area, context)
  return [{ where: `${operation.id} ${frame.id}`, overlap: kept.data.equals(pixels.data) ? 1 : 0 }]
}
