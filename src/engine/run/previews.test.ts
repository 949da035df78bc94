import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { systemClock } from '../../domain/clock.ts'
import type { StepPreview } from '../../domain/executions/execution.ts'
import { failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { defineOperation, socket } from '../../operations/define.ts'
import type { PackedResult } from '../cache/packed.ts'
import type { StepCache, StoredCheckpoint, StoredOutput } from '../cache/ports.ts'
import type { Plan } from '../plan/plan.ts'
import { closed, common, gray, loading, plannerOf, toneOf } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'
import type { RunPreviews } from './previews.ts'
import { type RunResult, runPlan } from './run.ts'

let ran: string[] = []
let randomCalls = 0

const params = Type.Object({ tone: Type.Integer({ default: 1 }) }, closed)
const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params,
  outputs: { image: 'I.' },
  async run(_, { tone }) {
    ran.push(`make ${tone}`)
    return { image: gray(tone) }
  },
})
const add = defineOperation({
  ...common,
  id: 'add',
  group: 'filter',
  inputs: { images: socket.many('I.') },
  params,
  outputs: { image: 'I.' },
  async run({ images }, { tone }) {
    ran.push(`add ${tone}`)
    if (tone === 13) throw failure('input_invalid', 'It cannot be done.')
    return { image: gray(images.reduce((sum, image) => sum + toneOf(image), tone)) }
  },
})
const roll = defineOperation({
  ...common,
  id: 'roll',
  deterministic: false,
  group: 'filter',
  inputs: { image: socket.one('I.') },
  params,
  outputs: { image: 'I.' },
  run: async () => ({ image: gray(100 + ++randomCalls) }),
})
const measure = defineOperation({
  ...common,
  id: 'measure',
  group: 'analyse',
  inputs: { image: socket.one('I.') },
  params: Type.Object({}, closed),
  outputs: { image: undefined, values: { sum: Type.Integer() } },
  run: async ({ image }) => ({ sum: toneOf(image) }),
})
const load = loading((source) => ran.push(`load ${source}`))
const plan = plannerOf([make, add, roll, measure, load])
const planOf = (nodes: object, node: string) => plan({ nodes, output: { node, format: 'png' } })

function storedOf({ facts, parts }: PackedResult) {
  return { facts: JSON.parse(JSON.stringify(facts)), read: async () => Buffer.concat(parts) }
}

/** The records that remain from one run to the next. */
function memory() {
  const results = new Map<string, PackedResult>()
  const outputs = new Map<string, Buffer>()
  const previews = new Map<string, StepPreview>()
  const all = new Set<string>()
  /** The tone of each that was made. */
  const created: number[] = []
  const cache: StepCache = {
    async find(keys) {
      return new Map(
        keys.flatMap((key) => (results.has(key) ? [[key, storedOf(results.get(key) as PackedResult)]] : [])),
      )
    },
    async findOutputs(keys) {
      return new Map(
        keys.flatMap((key): [string, StoredOutput][] => {
          const bytes = outputs.get(key)
          return bytes ? [[key, { format: 'png', width: 4, height: 2, take: async () => ({ bytes }) }]] : []
        }),
      )
    },
    offer: (key, packed) => void results.set(key, packed),
    keep: async (key, packed) => void results.set(key, packed),
  }
  const keeping: RunPreviews = {
    find: async (keys) =>
      new Map(keys.flatMap((key) => (previews.has(key) ? [[key, previews.get(key) as StepPreview]] : []))),
    isThere: async ({ id }) => all.has(id),
    async make(image, key) {
      await setImmediate()
      const preview = { id: `${toneOf(image)}`, width: 4, height: 2 }
      created.push(toneOf(image))
      all.add(preview.id)
      if (key !== undefined) previews.set(key, preview)
      return preview
    },
    flush: async () => undefined,
  }
  return { results, outputs, previews, all, created, cache, keeping }
}

interface Options {
  store?: ReturnType<typeof memory>
  cache?: false
  previews?: RunPreviews | undefined
  checkpoints?: Map<string, StoredCheckpoint>
  signal?: AbortSignal
  /** The content of the source `own`, whose hash is known without reading it. */
  own?: string
  pixels?: ReturnType<typeof createPixelBudget>
}

/** The preview of each step, by the tone of its image. */
async function run(plan: Plan, { store = memory(), own = 'own', ...options }: Options = {}) {
  ran = []
  const result: RunResult = await runPlan(plan, {
    processes: testProcesses,
    signal: options.signal ?? new AbortController().signal,
    timeoutSeconds: 10,
    pixelsMax: 1e6,
    pixels: options.pixels ?? createPixelBudget(1e6, 1e7),
    open: async (source) => ({ bytes: Buffer.from(source === 'own' ? own : source) }),
    encode: async (image) => ({ bytes: Buffer.from([toneOf(image)]), format: 'png', width: 4, height: 2 }),
    previews: 'previews' in options ? options.previews : store.keeping,
    reuse: {
      cache: options.cache === false ? undefined : store.cache,
      checkpoints: options.checkpoints,
      keyContext: {
        fingerprint: 'here',
        identify: async (source) => (source === 'own' ? own : undefined),
        fonts: async () => [],
      },
    },
    clock: systemClock,
    onProgress: () => undefined,
  })
  for (const key of result.output?.cacheable?.keys ?? [])
    store.outputs.set(key, result.output?.bytes ?? Buffer.alloc(0))
  const previewed = Object.fromEntries(
    result.steps.flatMap(({ node, preview }) => (preview ? [[node, Number(preview.id)]] : [])),
  )
  const from = Object.fromEntries(result.steps.map(({ node, status, servedFrom }) => [node, servedFrom ?? status]))
  return { result, previewed, from, ran }
}

/** The checkpoint, as it is found again. */
function checkpointsOf({ result }: { result: RunResult }): Map<string, StoredCheckpoint> {
  return new Map(
    (result.fault ? result.finished : []).map(({ task, key, facts, packed, preview }): [string, StoredCheckpoint] => {
      const none = { facts, read: async () => Buffer.alloc(0) }
      return [task, { ...(packed ? storedOf(packed) : none), key, preview, hasImages: packed !== undefined }]
    }),
  )
}

const plus = (tone: number, ...images: string[]) => ({ type: 'add', inputs: { images }, params: { tone } })
const chain = { a: { type: 'make', params: { tone: 10 } }, b: plus(1, 'a'), c: plus(2, 'b') }

describe('previews of steps', () => {
  it('show every step that ran and returned an image, and no other step', async () => {
    const nodes = {
      ...chain,
      no: { ...plus(5, 'b'), when: '{{ false }}' },
      told: { type: 'measure', inputs: { image: 'b' } },
      decided: { ...plus(5, 'b'), when: '{{ nodes.told.sum | minus: 11 }}' },
      c: plus(2, 'no', 'decided'),
      lonely: chain.a,
    }
    const { previewed, from } = await run(planOf(nodes, 'c'))
    assert.deepEqual(previewed, { a: 10, b: 11, c: 24 })
    assert.deepEqual([from.no, from.decided, from.told], ['skipped', 'skipped', 'completed'])
  })
  it('show no skipped steps, even if they were not needed', async () => {
    const store = memory()
    const nodes = { ...chain, no: { ...plus(5, 'b'), when: '{{ false }}' }, c: plus(2, 'no') }
    const [first, again] = [await run(planOf(nodes, 'c'), { store }), await run(planOf(nodes, 'c'), { store })]
    assert.deepEqual([first.previewed, again.previewed], Array(2).fill({ a: 10, b: 11, c: 13 }))
  })
  it('show the first image of a list', async () => {
    const list = { type: 'make', each: [7, 8, 9], params: { tone: '{{ item }}' } }
    assert.deepEqual((await run(planOf({ list, all: plus(1, 'list') }, 'all'))).previewed, { list: 7, all: 25 })
  })
  it('are made once for two equal steps, and shown for both', async () => {
    const store = memory()
    const nodes = { a: chain.a, same: chain.a, c: plus(0, 'a', 'same') }
    assert.deepEqual((await run(planOf(nodes, 'c'), { store })).previewed, { a: 10, same: 10, c: 20 })
    assert.deepEqual(store.created.sort(), [10, 20])
  })
  it('are not requested, made or reported if the execution did not request previews', async () => {
    const store = memory()
    const { previewed, result } = await run(planOf(chain, 'c'), { store, previews: undefined })
    assert.deepEqual([previewed, store.created], [{}, []])
    assert.ok(result.steps.every((step) => !('preview' in step)))
  })
})

describe('previews of steps that did not run', () => {
  it('reuse previews of an equal run, even of steps that are not needed or not stored', async () => {
    const store = memory()
    const first = await run(planOf(chain, 'c'), { store })
    store.results.clear()
    assert.deepEqual(store.created.splice(0), [10, 11, 13])
    const again = await run(planOf(chain, 'c'), { store })
    assert.deepEqual(again.from, { a: 'cache', b: 'cache', c: 'cache' })
    assert.deepEqual([again.previewed, again.ran, store.created], [first.previewed, [], []])
  })
  it('reuse previews of steps behind a source that must be read first, and of steps that ran again', async () => {
    const store = memory()
    const nodes = { ...chain, web: { type: 'load', params: { source: 'web' } }, c: plus(2, 'b', 'web') }
    const first = await run(planOf(nodes, 'c'), { store })
    store.results.clear()
    store.created.length = 0
    const again = await run(planOf(nodes, 'c'), { store })
    assert.deepEqual([again.from.web, again.from.c], ['completed', 'cache'])
    assert.deepEqual([again.previewed, store.created], [first.previewed, []])
  })
  it('show cached results, and execute nothing for missing ones', async () => {
    const store = memory()
    await run(planOf(chain, 'c'), { store, previews: undefined })
    const [first = ''] = store.results.keys()
    store.results.delete(first)
    const { previewed, ran } = await run(planOf(chain, 'c'), { store })
    assert.deepEqual([previewed, ran], [{ b: 11, c: 13 }, []])
  })
  it('show a stored source even if it is read only for the preview, and do not fetch one from the web', async () => {
    const store = memory()
    const source = (name: string) => ({ type: 'load', params: { source: name } })
    const nodes = { own: source('own'), b: plus(1, 'own') }
    await run(planOf(nodes, 'b'), { store, previews: undefined })
    const { previewed, from } = await run(planOf(nodes, 'b'), { store })
    assert.deepEqual([previewed.own, from.own], ['o'.charCodeAt(0), 'cache'])
  })
  it('show unique results in their own run only', async () => {
    const store = memory()
    const nodes = { ...chain, r: { type: 'roll', inputs: { image: 'b' } }, c: plus(0, 'r') }
    const first = await run(planOf(nodes, 'c'), { store })
    const again = await run(planOf(nodes, 'c'), { store })
    assert.equal(first.previewed.r, first.previewed.c)
    assert.equal(again.previewed.r, Number(first.previewed.r) + 1)
    assert.equal(again.previewed.c, again.previewed.r)
  })
  it('find nothing by key without a cache, because sources have no key', async () => {
    const store = memory()
    await run(planOf(chain, 'c'), { store, cache: false })
    assert.deepEqual([...store.previews.keys()], [])
  })
  it('show the steps that ended before a failure, and the resumed run shows the same, including unique results', async () => {
    const store = memory()
    const nodes = { ...chain, r: { type: 'roll', inputs: { image: 'b' } }, c: plus(0, 'r'), bad: plus(13, 'c') }
    const failed = await run(planOf(nodes, 'bad'), { store })
    assert.deepEqual(Object.keys(failed.previewed), ['a', 'b', 'r', 'c'])
    const checkpoints = checkpointsOf(failed)
    store.created.length = 0
    const good = { ...nodes, bad: plus(3, 'c') }
    const resumed = await run(planOf(good, 'bad'), { store, checkpoints })
    const { bad, ...rest } = resumed.previewed
    assert.deepEqual([rest, bad, store.created], [failed.previewed, Number(failed.previewed.c) + 3, [bad]])
    // The previews of that run may be deleted by now.
    store.all.clear()

    const later = await run(planOf({ ...nodes, bad: plus(4, 'c') }, 'bad'), { store, checkpoints })
    assert.equal(later.previewed.c, failed.previewed.c)
  })
})

describe('previews of a resumed run', () => {
  const source = (name: string) => ({ type: 'load', params: { source: name } })
  const failing = (name: string) => ({ s: source(name), b: plus(1, 's'), bad: plus(13, 'b') })
  const going = (name: string) => ({ ...failing(name), bad: plus(2, 'b') })

  it('show the resumed results, even if a source has changed since, and the new key finds none of them', async () => {
    const store = memory()
    const checkpoints = checkpointsOf(await run(planOf(failing('own'), 'bad'), { store, own: 'A' }))
    // The previews of that run are deleted, its checkpoints aren't.
    store.all.clear()
    store.previews.clear()
    const fresh = async () => {
      const { previewed } = await run(planOf(going('own'), 'bad'), { store, own: 'X' })
      assert.deepEqual([previewed.s, previewed.b], ['X'.charCodeAt(0), 'X'.charCodeAt(0) + 1])
    }
    await fresh()
    const other = { ...failing('own'), bad: plus(3, 'b') }
    const resumed = await run(planOf(other, 'bad'), { store, own: 'X', checkpoints })
    assert.deepEqual([resumed.previewed.s, resumed.previewed.b], [undefined, 'A'.charCodeAt(0) + 1])
    assert.equal(resumed.from.b, 'resumed')
    await fresh()
  })
  it('show nothing that would have to be fetched again', async () => {
    const store = memory()
    const checkpoints = checkpointsOf(await run(planOf(failing('web'), 'bad'), { store }))
    store.all.clear()
    store.previews.clear()
    for (const each of checkpoints.values()) each.hasImages &&= each.preview?.id !== `${'w'.charCodeAt(0)}`
    const { previewed, ran } = await run(planOf(going('web'), 'bad'), { store, checkpoints })
    assert.deepEqual([previewed.s, ran], [undefined, ['add 2']])
  })
})

describe('a failed preview', () => {
  const broken = (part: Partial<RunPreviews>): RunPreviews => ({ ...memory().keeping, ...part })
  const faults: [string, Partial<RunPreviews>][] = [
    ['made', { make: async () => undefined }],
    ['made because of an error', { make: () => Promise.reject(new Error('broken')) }],
    ['looked up', { find: () => Promise.reject(new Error('broken')) }],
  ]
  for (const [label, part] of faults) {
    it(`is missing, and the run completes, if the preview cannot be ${label}`, async () => {
      const { result, previewed } = await run(planOf(chain, 'c'), { previews: broken(part) })
      assert.deepEqual([result.output?.bytes?.[0], previewed], [13, {}])
    })
  }
  it('does not delay the cancellation of the run', async () => {
    const cancel = new AbortController()
    const late = Promise.withResolvers<StepPreview>()
    const make = () => {
      cancel.abort(failure('cancelled', 'It was cancelled.'))
      return late.promise
    }
    const { result } = await run(planOf(chain, 'c'), { previews: broken({ make }), signal: cancel.signal })
    assert.equal(result.fault?.details.reason, 'cancelled')
    // A preview that is ready after the end doesn't change the reported steps.
    late.resolve({ id: '1', width: 4, height: 2 })
    await setImmediate()
    assert.ok(result.steps.every(({ preview }) => preview === undefined))
  })
  it('counts its image while it is processed, but not towards the limit of the run', async () => {
    // Each image has 8 pixels, and a step creates an image while its input is in memory.
    const pixels = createPixelBudget(1e6, 16)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const make = () => promise
    const long = Object.fromEntries([...'bcdefgh'].map((id, i, all) => [id, plus(1, all[i - 1] ?? 'a')]))
    const running = run(planOf({ a: chain.a, ...long }, 'h'), { previews: broken({ make }), pixels })
    setImmediate().then(() => resolve(undefined))
    assert.equal((await running).result.fault, undefined)
  })
})
