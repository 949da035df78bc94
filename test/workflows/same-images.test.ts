/**
 * Neither the cache nor previews change an image: random workflows with the entire catalogue give the same bytes without
 * cache, while it fills, and from it, also after a change, and with previews of every step. `SEED` selects other
 * workflows, `WORKFLOWS` their number.
 */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { systemClock } from '../../src/domain/clock.ts'
import type { PackedResult } from '../../src/engine/cache/packed.ts'
import type { StepCache, StepReuse, StoredOutput } from '../../src/engine/cache/ports.ts'
import { predictCacheHits } from '../../src/engine/cache/predict-cache-hits.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import type { RunPreviews } from '../../src/engine/run/previews.ts'
import { type RunResult, runPlan } from '../../src/engine/run/run.ts'
import { createImaging } from '../../src/imaging/raster/imaging.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import { markedXmp } from '../../src/imaging/raster/xmp.ts'
import type { Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { createRandom, type Random } from '../faults/random.ts'

const first = Number(process.env.SEED ?? 1)
const workflows = Number(process.env.WORKFLOWS ?? 15)

const samples = new URL('../../examples/samples/', import.meta.url)
const readSample = (name: string) => readFileSync(new URL(name, samples))
const sources = new Map<string, Buffer>()
for (const name of ['badge.png', 'cat.jpg', 'coffee.jpg'])
  sources.set(name, await sharp(readSample(name)).resize(80).toBuffer())
sources.set(
  'told.jpg',
  await sharp(readSample('coffee.jpg'))
    .resize(90)
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .withMetadata({ density: 300, orientation: 6 })
    .jpeg()
    .toBuffer(),
)
sources.set(
  'generated.png',
  await sharp(readSample('coffee.jpg')).resize(70).withXmp(markedXmp(undefined, 'generated')).png().toBuffer(),
)
for (const name of ['ball.gif', 'pan.webp'])
  sources.set(name, await sharp(readSample(name), { pages: 3 }).resize(60).toBuffer())
/** Sources that must be fetched for their key. */
const fetched = ['cat.jpg', 'pan.webp']
const imaging = createImaging({ processes: testProcesses, pixelsMax: 4e6 })
const check = createChecker(catalogue)

/** Operations that need an optional model or another process. Operations with model calls are also excluded. */
const left = ['faces', 'ocr', 'remove-background', 'upscale', 'svg', 'lut']
const operations = [...catalogue.values()].filter(
  ({ id, usesModel }) => !left.includes(id) && id !== 'image' && usesModel === undefined,
)

type Node = {
  type: string
  inputs?: Record<string, string | string[]>
  params: Record<string, unknown>
  when?: string
  each?: unknown
  cache?: boolean
}
interface Document {
  name: string
  parameters: { name: string; type: string; default: unknown }[]
  nodes: Record<string, Node>
  output: Record<string, unknown>
}

function documentOf(random: Random): Document {
  const nodes: Record<string, Node> = {}
  const isList = new Set<string>()
  const count = 2 + random.below(5)
  for (let i = 0; i < 2; i += 1) nodes[`s${i}`] = sourceOf(random)
  for (let i = 0; i < count; i += 1) {
    const before = Object.keys(nodes)
    const operation = random.pick(operations)
    const node = nodeOf(operation, before, random)
    const id = `n${i}`
    if (random.below(8) === 0) node.when = random.pick(['{{ flag }}', `{{ nodes.${before[0]}.width | minus: 90 }}`])
    if (random.below(9) === 0) node.each = random.pick<unknown>([2, ['a', 'b', 'c'], '{{ count }}'])
    if (random.below(15) === 0) node.cache = false
    nodes[id] = node
    const lists = Object.entries(node.inputs ?? {}).some(
      ([name, edge]) => !operation.inputs[name]?.many && [edge].flat().some((each) => isList.has(each)),
    )
    if (node.each || lists) isList.add(id)
  }
  const last = Object.keys(nodes).at(-1) ?? ''
  const all = Object.keys(nodes).slice(-3)
  nodes.end = isList.has(last) || random.below(3) === 0 ? gather(all) : shrink(last)
  return {
    name: 'Any',
    parameters: [
      { name: 'flag', type: 'number', default: random.below(2) },
      { name: 'count', type: 'number', default: 1 + random.below(3) },
      { name: 'side', type: 'number', default: 40 + random.below(60) },
      { name: 'sigma', type: 'number', default: 1 + random.below(4) },
    ],
    nodes,
    output: { node: 'end', ...settingsOf(random) },
  }
}

const gather = (images: string[]): Node => ({ type: 'grid', inputs: { images }, params: {} })
const shrink = (image: string): Node => ({ type: 'blur', inputs: { image }, params: { sigma: '{{ sigma }}' } })

function sourceOf(random: Random): Node {
  return { type: 'image', params: { source: random.pick([...sources.keys()]) } }
}

function nodeOf(operation: Operation, before: string[], random: Random): Node {
  if (random.below(3) === 0)
    return {
      type: 'resize',
      inputs: { image: random.pick(before) },
      params: { width: random.pick<unknown>(['{{ side }}', `{{ nodes.${random.pick(before)}.height }}`, 60]) },
    }
  const inputs: Record<string, string | string[]> = {}
  for (const [name, { required, many }] of Object.entries(operation.inputs)) {
    if (!required && random.below(2) === 0) continue
    inputs[name] = many ? [random.pick(before), random.pick(before)] : random.pick(before)
  }
  return { type: operation.id, inputs, params: structuredClone(random.pick(operation.examples).params) }
}

function settingsOf(random: Random): Record<string, unknown> {
  return random.pick<Record<string, unknown>>([
    { format: 'png', effort: 'low' },
    { format: 'png', metadata: 'keep', profile: 'keep', effort: 'low' },
    { format: 'jpeg', quality: '{{ side }}', metadata: 'keep' },
    { format: 'webp', effort: 'low', profile: 'p3' },
    { format: 'gif', effort: 'low' },
    { format: 'tiff', density: 200 },
    { effort: 'low' },
  ])
}

/** The document with one change. */
function changed(document: Document, random: Random): Document {
  const other = structuredClone(document)
  const nodes = Object.values(other.nodes)
  const change = random.below(6)
  const parameter = random.pick(other.parameters)
  if (change === 0) parameter.default = Number(parameter.default) + 1
  else if (change === 1) other.output = { node: 'end', ...settingsOf(random) }
  else if (change === 2) {
    const node = random.pick(nodes.filter(({ type }) => type === 'image'))
    node.params.source = random.pick([...sources.keys()])
  } else if (change <= 4) {
    const node = random.pick(nodes.filter(({ inputs }) => Object.keys(inputs ?? {}).length > 0))
    const sockets = Object.entries(node.inputs ?? {})
    const wires = sockets.flatMap(([, wire]) => wire).toReversed()
    node.inputs = Object.fromEntries(
      sockets.map(([name, wire]) => [
        name,
        Array.isArray(wire) ? wire.map(() => wires.shift() ?? '') : (wires.shift() ?? ''),
      ]),
    )
  } else {
    const node = random.pick(nodes)
    const params = catalogue.get(node.type)?.examples.map((example) => example.params) ?? []
    if (node.type !== 'image') node.params = structuredClone(random.pick(params.length > 0 ? params : [node.params]))
  }
  return other
}

/** Stores everything, and returns it as it comes from JSON and bytes. */
function memory(): {
  cache: StepCache
  outputs: Map<string, NonNullable<RunResult['output']>>
  served(): number
  forget(random: Random): void
} {
  const results = new Map<string, PackedResult>()
  const outputs = new Map<string, NonNullable<RunResult['output']>>()
  let served = 0
  const cache: StepCache = {
    async find(keys) {
      return new Map(
        keys.flatMap((key) => {
          const packed = results.get(key)
          return packed ? [[key, storedOf(packed, () => (served += 1))]] : []
        }),
      )
    },
    async findOutputs(keys) {
      return new Map(
        keys.flatMap((key): [string, StoredOutput][] => {
          const found = outputs.get(key)
          if (found?.bytes === undefined) return []
          const { bytes, format, width, height, origin } = found
          served += 1
          return [[key, { format, width, height, origin, take: async () => ({ bytes }) }]]
        }),
      )
    },
    offer: (key, packed) => void results.set(key, packed),
    keep: async (key, packed) => void results.set(key, packed),
  }
  function forget(random: Random): void {
    outputs.clear()
    for (const key of results.keys()) if (random.below(3) === 0) results.delete(key)
  }
  return { cache, outputs, served: () => served, forget }
}

function storedOf({ facts, parts }: PackedResult, onRead: () => void) {
  return {
    facts: JSON.parse(JSON.stringify(facts)),
    async read() {
      onRead()
      return Buffer.concat(parts)
    },
  }
}

type Store = ReturnType<typeof memory> | undefined

interface Ran {
  result: RunResult
  predicted: Set<string>
}

/** Undefined for an invalid document. */
async function run(document: Document, store: Store, previews?: RunPreviews): Promise<Ran | undefined> {
  const { workflow } = check(structuredClone(document))
  const plan = workflow && planExecution(workflow, {}).plan
  if (plan === undefined) return undefined
  const reuse: StepReuse = {
    cache: store?.cache,
    keyContext: {
      fingerprint: 'here',
      identify: async (source) => (fetched.includes(source) ? undefined : hash('sha256', sources.get(source) ?? '')),
      fonts: async () => [],
    },
  }
  const predicted = await predictCacheHits(plan, reuse)
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 60,
    pixelsMax: 4e6,
    pixels: createPixelBudget(1e9, 1e9),
    open: async (source) => ({ bytes: sources.get(source) ?? Buffer.alloc(0) }),
    encode: imaging.encode,
    reuse,
    previews,
    clock: systemClock,
    onProgress: () => undefined,
  })
  const { output } = result
  for (const key of output?.cacheable?.keys ?? []) if (output) store?.outputs.set(key, output)
  return { result, predicted }
}

/** Creates all previews, and stores none. */
const showing: RunPreviews = {
  find: async () => new Map(),
  isThere: async () => false,
  async make(picture, _key, context) {
    const { width, height } = await imaging.shrink(picture, context)
    assert.ok(Math.max(width, height) <= 512)
    return { id: 'p', width, height }
  },
  flush: async () => undefined,
}

/** Checks that every step that ran and has an image has a preview. */
function assertPreviews({ result }: Ran, message: string): void {
  for (const { node, status, width, height, preview } of result.steps) {
    if (status !== 'completed' || width === null || height === null) continue
    // An empty list, or one that begins with a skipped item, may have none.
    assert.ok(preview || lists(result), `${node} is not shown ${message}`)
    if (preview && Math.max(width, height) <= 512)
      assert.deepEqual([preview.width, preview.height], [width, height], `${node} is shown smaller ${message}`)
  }
}

const lists = ({ steps }: RunResult) => steps.some(({ count }) => count !== undefined)

/** The bytes, or undefined: if two steps fail, either may be first. */
function visibleResult({ result }: Ran): unknown {
  const { output, fault } = result
  if (fault) return 'failed'
  return [output.format, output.width, output.height, output.name, hash('sha256', output.bytes ?? Buffer.alloc(0))]
}

/** Templates have a time limit, which a busy machine may exceed. */
function isLate({ result }: Ran): boolean {
  return /time limit|memory limit/.test(result.fault?.message ?? '')
}

test('the bytes are the same with previews, without cache, while it fills, and from it, also after a change', async () => {
  let tried = 0
  let served = 0
  for (let seed = first; tried < workflows; seed += 1) {
    const random = createRandom(seed)
    const document = documentOf(random)
    const off = await run(document, undefined)
    if (off === undefined) continue
    const shown = await run(document, undefined, showing)
    assert.ok(shown)
    if (![off, shown].some(isLate)) {
      assert.deepEqual(
        visibleResult(shown),
        visibleResult(off),
        `with previews, seed ${seed}: ${JSON.stringify(document)}`,
      )
      assertPreviews(shown, `seed ${seed}: ${JSON.stringify(document)}`)
    }
    const store = memory()
    const assertSame = async (label: string, document: Document, expected: Ran) => {
      const message = `${label}, seed ${seed}: ${JSON.stringify(document)}`
      const ran = await run(document, store)
      assert.ok(ran)
      if ([ran, expected].some(isLate)) return
      assert.deepEqual(visibleResult(ran), visibleResult(expected), message)
      if (ran.result.fault) return
      const from = new Map(ran.result.steps.map(({ node, servedFrom }) => [node, servedFrom]))
      for (const node of ran.predicted) assert.equal(from.get(node), 'cache', `${node} was foreseen ${message}`)
    }
    await assertSame('while it fills', document, off)
    await assertSame('from all of it', document, off)
    store.forget(random)
    await assertSame('from a part of it', document, off)
    for (let i = 0; i < 3; i += 1) {
      const other = changed(document, random)
      const otherOff = await run(other, undefined)
      if (otherOff) await assertSame('with a change', other, otherOff)
    }
    tried += 1
    served += store.served()
  }
  assert.ok(served > workflows, `only ${served} were served`)
})
