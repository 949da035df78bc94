import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { systemClock } from '../../domain/clock.ts'
import { failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { defineOperation, socket } from '../../operations/define.ts'
import type { PackedResult } from '../cache/packed.ts'
import type { Checkpoint, StepCache, StoredCheckpoint, StoredOutput } from '../cache/ports.ts'
import { predictCacheHits } from '../cache/predict-cache-hits.ts'
import type { Plan } from '../plan/plan.ts'
import { closed, common, gray, loading, plannerOf, toneOf } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { type RunResult, runPlan } from './run.ts'

/** The names of what has run. */
let ran: string[] = []
let randomCalls = 0

const named = { name: Type.String({ default: '' }), add: Type.Integer({ default: 1 }) }
type Run = { name: string; add: number }

async function work(
  { name, add }: Run,
  images: (ImageValue | undefined)[],
): Promise<{ image: ImageValue; sum: number }> {
  ran.push(name)
  await new Promise((settle) => setImmediate(settle))
  const sum = images.reduce((total, image) => total + toneOf(image), add)
  return { image: gray(sum % 256), sum }
}

const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: Type.Object(named, closed),
  outputs: { image: 'I.', values: { sum: Type.Integer() } },
  run: (_, params) => work(params, []),
})
const add = defineOperation({
  ...common,
  id: 'add',
  group: 'filter',
  inputs: { image: socket.one('A.'), other: socket.optional('B.'), more: { ...socket.many('C.'), required: false } },
  params: Type.Object({ ...named, how: Type.Enum(['well', 'badly'], { default: 'well' }) }, closed),
  outputs: { image: 'I.', values: { sum: Type.Integer() } },
  async run({ image, other, more }, { how, ...params }) {
    if (how === 'badly') {
      ran.push(`${params.name} failed`)
      throw failure('input_invalid', 'It cannot be done.')
    }
    return work(params, [image, other, ...(more as ImageValue[])])
  },
})
const roll = defineOperation({
  ...common,
  id: 'roll',
  deterministic: false,
  group: 'source',
  inputs: {},
  params: Type.Object(named, closed),
  outputs: { image: 'I.' },
  run: (_, params) => work({ ...params, add: ++randomCalls }, []),
})
const load = loading((source) => ran.push(`load ${source}`))
const write = defineOperation({
  ...common,
  id: 'write',
  reads: { fonts: true },
  group: 'text',
  inputs: { image: socket.one('A.') },
  params: Type.Object(named, closed),
  outputs: { image: 'I.' },
  run: ({ image }, params) => work(params, [image]),
})

const plan = plannerOf([make, add, roll, load, write])

function planOf(nodes: object, output: object | string, values = {}, parameters: object[] = []): Plan {
  return plan(
    { parameters, nodes, output: typeof output === 'string' ? { node: output, format: 'png' } : output },
    values,
  )
}

/** A cache of one account that admits everything. */
function memory() {
  const results = new Map<string, PackedResult>()
  const outputs = new Map<string, Buffer>()
  const reads: string[] = []
  const removed = new Set<string>()
  const cache: StepCache = {
    async find(keys) {
      return new Map(
        keys.flatMap((key) => {
          const packed = results.get(key)
          const read = async () => {
            reads.push(key)
            return removed.has(key) ? undefined : Buffer.concat(packed?.parts ?? [])
          }
          return packed ? [[key, { facts: JSON.parse(JSON.stringify(packed.facts)), read }]] : []
        }),
      )
    },
    async findOutputs(keys) {
      return new Map(
        keys.flatMap((key): [string, StoredOutput][] => {
          const bytes = outputs.get(key)
          const take = async () => (removed.has(key) || bytes === undefined ? undefined : { bytes })
          return bytes ? [[key, { format: 'png', width: 4, height: 2, take }]] : []
        }),
      )
    },
    offer: (key, packed) => void results.set(key, packed),
    keep: async (key, packed) => void results.set(key, packed),
  }
  return { cache, results, outputs, reads, removed }
}

interface RunOptions {
  store?: ReturnType<typeof memory>
  checkpoints?: Map<string, StoredCheckpoint>
  fonts?: unknown
  sources?: Record<string, string>
  /** Sources that are known without reading them. */
  own?: string[]
  fingerprint?: string
  pixels?: ReturnType<typeof createPixelBudget>
}

/** The value of the output's pixels, what ran, and where the steps came from. */
async function run(plan: Plan, options: RunOptions = {}) {
  ran = []
  let encodes = 0
  const { store, checkpoints, sources = {}, own = [] } = options
  const bytesOf = (source: string) => Buffer.from(sources[source] ?? source)
  const result: RunResult = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 10,
    pixelsMax: 1e6,
    pixels: options.pixels ?? createPixelBudget(1e6, 1e7),
    open: async (source) => ({ bytes: bytesOf(source) }),
    encode: async (image) => {
      encodes += 1
      return { bytes: Buffer.from([toneOf(image)]), format: 'png', width: image.width, height: image.height }
    },
    reuse: { cache: store?.cache, checkpoints, keyContext: keyContextOf(options, own, bytesOf) },
    clock: systemClock,
    onProgress: () => undefined,
  })
  const { output } = result
  for (const key of output?.cacheable?.keys ?? []) store?.outputs.set(key, output?.bytes ?? Buffer.alloc(0))
  const from = Object.fromEntries(result.steps.map(({ node, status, servedFrom }) => [node, servedFrom ?? status]))
  return { result, value: output?.bytes?.[0], ran, from, encodes }
}

function keyContextOf(
  { fonts, fingerprint = 'here' }: RunOptions,
  knownSources: string[],
  bytesOf: (source: string) => Buffer,
) {
  return {
    fingerprint,
    identify: async (source: string) => (knownSources.includes(source) ? hash('sha256', bytesOf(source)) : undefined),
    fonts: async () => fonts,
  }
}

function finishedOf({ result }: { result: RunResult }): Checkpoint[] {
  return result.fault ? result.finished : []
}

/** The checkpoints as they are found again: through JSON, and bytes. */
function checkpointsOf(failed: { result: RunResult }): Map<string, StoredCheckpoint> {
  return new Map(
    finishedOf(failed).map(({ task, key, facts, packed }) => [
      task,
      {
        key,
        facts: JSON.parse(JSON.stringify(facts)),
        hasImages: packed !== undefined,
        read: async () => Buffer.concat(packed?.parts ?? []),
      },
    ]),
  )
}

const step = (name: string, image: string, more: object = {}) => ({
  type: 'add',
  inputs: { image },
  params: { name, ...more },
})
const chain = {
  a: { type: 'make', params: { name: 'a', add: 10 } },
  b: step('b', 'a'),
  c: step('c', 'b'),
}
const words = [{ name: 'add', type: 'number', default: 1 }]

describe('a cached step does not run', () => {
  it('an equal run decodes and encodes nothing, and its steps report the cache hits', async () => {
    const store = memory()
    const first = await run(planOf(chain, 'c'), { store })
    assert.deepEqual([first.ran, first.value, first.encodes], [['a', 'b', 'c'], 12, 1])
    const again = await run(planOf(chain, 'c'), { store })
    assert.deepEqual([again.ran, again.value, again.encodes], [[], 12, 0])
    assert.deepEqual(again.from, { a: 'cache', b: 'cache', c: 'cache' })
    assert.deepEqual(store.reads, [])
    assert.equal(again.result.output?.cacheable, undefined)
  })
  it('other output settings only read the image from the cache and encode it', async () => {
    const store = memory()
    await run(planOf(chain, 'c'), { store })
    const again = await run(planOf(chain, { node: 'c', format: 'webp' }), { store })
    assert.deepEqual([again.ran, again.value, again.encodes, store.reads.length], [[], 12, 1, 1])
    assert.deepEqual(again.from, { a: 'cache', b: 'cache', c: 'cache' })
  })
  it('another param reuses the steps before it, and unneeded steps are not even read', async () => {
    const store = memory()
    const nodes = { ...chain, c: step('c', 'b', { add: '{{ add }}' }) }
    await run(planOf(nodes, 'c', {}, words), { store })
    const again = await run(planOf(nodes, 'c', { add: 5 }, words), { store })
    assert.deepEqual([again.ran, again.value, store.reads.length], [['c'], 16, 1])
    assert.deepEqual(again.from, { a: 'cache', b: 'cache', c: 'completed' })
  })
  it('another workflow with the same work under other names reuses the results', async () => {
    const store = memory()
    await run(planOf(chain, 'c'), { store })
    const other = { x: chain.a, y: step('b', 'x'), z: step('z', 'y') }
    const { ran: names, value } = await run(planOf(other, 'z'), { store })
    assert.deepEqual([names, value], [['z'], 12])
  })
  it('a fork, another machine or a newer version of the operation runs the step again', async () => {
    const store = memory()
    await run(planOf(chain, 'c'), { store })
    assert.deepEqual((await run(planOf(chain, 'c'), { store, fingerprint: 'there' })).ran, ['a', 'b', 'c'])
  })
  const damages: [string, (packed: PackedResult) => void][] = [
    ['the stored bytes are truncated', (packed) => (packed.parts = [Buffer.concat(packed.parts).subarray(0, 9)])],
    ['the row is from another release', (packed) => Object.assign(packed.facts.image ?? {}, { pixels: {} })],
    ['the row is that of a list', (packed) => (packed.facts.items = [])],
  ]
  for (const [label, damage] of damages) {
    it(`a step runs if ${label}`, async () => {
      const store = memory()
      const nodes = { ...chain, c: step('c', 'b', { add: '{{ add }}' }) }
      await run(planOf(nodes, 'c', {}, words), { store })
      for (const packed of store.results.values()) damage(packed)
      const again = await run(planOf(nodes, 'c', { add: 5 }, words), { store })
      assert.deepEqual([again.ran, again.value], [['a', 'b', 'c'], 16])
    })
  }
  it('a step runs together with its inputs if the bytes of a result are gone', async () => {
    const store = memory()
    const nodes = { ...chain, c: step('c', 'b', { add: '{{ add }}' }) }
    await run(planOf(nodes, 'c', {}, words), { store })
    for (const key of store.results.keys()) store.removed.add(key)
    for (const key of store.outputs.keys()) store.removed.add(key)
    const again = await run(planOf(nodes, 'c', { add: 5 }, words), { store })
    assert.deepEqual([again.ran, again.value], [['a', 'b', 'c'], 16])
    assert.deepEqual(again.from, { a: 'completed', b: 'completed', c: 'completed' })
  })
})

describe('unique results', () => {
  it('a node with `cache: false` and all later nodes run each time', async () => {
    const store = memory()
    const nodes = { ...chain, b: { ...chain.b, cache: false } }
    await run(planOf(nodes, 'c'), { store })
    const again = await run(planOf(nodes, 'c'), { store })
    assert.deepEqual(again.ran, ['b', 'c'])
    assert.equal(store.outputs.size, 0)
    assert.equal(store.results.size, 1)
  })
  it('random operations run each time', async () => {
    const store = memory()
    const nodes = { r: { type: 'roll', params: { name: 'r' } }, c: step('c', 'r') }
    const first = await run(planOf(nodes, 'c'), { store })
    const again = await run(planOf(nodes, 'c'), { store })
    assert.deepEqual(again.ran, ['r', 'c'])
    assert.notEqual(again.value, first.value)
    assert.equal(store.results.size, 0)
  })
})

describe('sources of a step', () => {
  const nodes = { l: { type: 'load', params: { source: '{{ source }}' } }, b: step('b', 'l'), c: step('c', 'b') }
  const declared = [{ name: 'source', type: 'string' }]
  const plan = (source: string) => planOf(nodes, 'c', { source }, declared)

  it('an uploaded image with known bytes is not read if the next result is cached', async () => {
    const store = memory()
    const options = { store, own: ['x', 'y'], sources: { x: 'same', y: 'same', z: 'else' } }
    await run(plan('x'), options)
    assert.deepEqual((await run(plan('x'), options)).ran, [])
    // Another name for the same bytes.
    assert.deepEqual((await run(plan('y'), options)).ran, [])
    const other = await run(plan('z'), { ...options, own: ['z'] })
    assert.deepEqual(other.ran, ['load z', 'b', 'c'])
  })
  it('a source from the web is fetched each time, and the next steps run only if its bytes changed', async () => {
    const store = memory()
    const first = await run(plan('http://x'), { store, sources: { 'http://x': 'one' } })
    assert.deepEqual(first.ran, ['load http://x', 'b', 'c'])
    const same = await run(plan('http://x'), { store, sources: { 'http://x': 'one' } })
    assert.deepEqual([same.ran, same.value, same.encodes], [['load http://x'], first.value, 0])
    assert.deepEqual(same.from, { l: 'completed', b: 'cache', c: 'cache' })
    const other = await run(plan('http://x'), { store, sources: { 'http://x': 'two' } })
    assert.deepEqual(other.ran, ['load http://x', 'b', 'c'])
  })
  it('a source that changes during an execution never causes reuse of results of its other bytes', async () => {
    const twice = {
      l: { type: 'load', params: { source: 'http://x' } },
      m: { type: 'load', params: { source: 'http://x' } },
      b: step('b', 'l'),
      c: { type: 'add', inputs: { image: 'b', other: 'm' }, params: { name: 'c' } },
      d: step('d', 'm', { add: 5 }),
      e: { type: 'add', inputs: { image: 'c', other: 'd' }, params: { name: 'e' } },
    }
    const store = memory()
    let reads = 0
    const turning = {
      get 'http://x'() {
        reads += 1
        return reads % 2 === 1 ? 'A' : 'Z'
      },
    }
    await run(planOf(twice, 'e'), { store, sources: turning })
    const sources = { 'http://x': 'A' }
    const cold = await run(planOf(twice, 'e'), { sources })
    assert.equal((await run(planOf(twice, 'e'), { store, sources })).value, cold.value)
  })
  it('fonts of the account affect the keys of steps with text, and no others', async () => {
    const store = memory()
    const text = { ...chain, c: { type: 'write', inputs: { image: 'b' }, params: { name: 'c' } } }
    await run(planOf(text, 'c'), { store, fonts: ['one'] })
    assert.deepEqual((await run(planOf(text, 'c'), { store, fonts: ['one'] })).ran, [])
    assert.deepEqual((await run(planOf(text, 'c'), { store, fonts: ['one', 'two'] })).ran, ['c'])
  })
})

describe('values of nodes', () => {
  const nodes = {
    a: { type: 'make', params: { name: 'a', add: 7 } },
    b: { type: 'make', params: { name: 'b', add: '{{ nodes.a.sum | plus: 1 }}' } },
    c: { type: 'add', inputs: { image: 'b', other: 'a' }, params: { name: 'c', add: '{{ nodes.b.sum }}' } },
  }
  it('are reused without their images, and lead to the complete output', async () => {
    const store = memory()
    const first = await run(planOf(nodes, 'c'), { store })
    assert.deepEqual([first.ran, first.value], [['a', 'b', 'c'], 8 + 7 + 8])
    const again = await run(planOf(nodes, 'c'), { store })
    assert.deepEqual([again.ran, again.encodes, store.reads, again.value], [[], 0, [], first.value])
    assert.deepEqual(again.from, { a: 'cache', b: 'cache', c: 'cache' })
  })
  it('in the output settings are reused as well', async () => {
    const store = memory()
    const output = { node: 'c', format: 'png', name: 'of {{ nodes.a.sum }}' }
    await run(planOf(chain, output), { store })
    const again = await run(planOf(chain, output), { store })
    assert.deepEqual([again.ran, again.encodes, again.result.output?.name], [[], 0, 'of 10'])
  })
  it('of a source are reused without reading it', async () => {
    const store = memory()
    const sized = {
      l: { type: 'load', params: { source: 'x' } },
      c: step('c', 'l', { add: '{{ nodes.l.width }}' }),
    }
    const options = { store, own: ['x'] }
    const first = await run(planOf(sized, 'c'), options)
    assert.deepEqual(first.ran, ['load x', 'c'])
    const again = await run(planOf(sized, 'c'), options)
    assert.deepEqual([again.ran, again.encodes, again.value], [[], 0, first.value])
    assert.deepEqual(again.from, { l: 'cache', c: 'cache' })
    store.outputs.clear()
    store.results.delete([...store.results].at(-1)?.[0] ?? '')
    const changed = await run(planOf(sized, 'c'), options)
    assert.deepEqual([changed.ran, changed.value], [['load x', 'c'], first.value])
    assert.deepEqual(changed.from, { l: 'completed', c: 'completed' })
  })
  it('decide whether a node runs, even if they are cached', async () => {
    const store = memory()
    const skipping = { ...chain, c: { ...step('c', 'b'), when: '{{ nodes.a.sum | minus: 10 }}' } }
    const first = await run(planOf(skipping, 'c'), { store })
    assert.deepEqual([first.value, first.from.c], [11, 'skipped'])
    const again = await run(planOf(skipping, 'c'), { store })
    assert.deepEqual([again.ran, again.value, again.encodes], [[], 11, 0])
  })
})

describe('a skipped node', () => {
  it('is reported as skipped without values, even if the image that it passes on is known', async () => {
    const store = memory()
    const nodes = {
      ...chain,
      c: { ...step('c', 'b'), when: '{{ nodes.a.sum | minus: 10 }}' },
      d: step('d', 'c', { add: '{{ nodes.c.sum | default: 100 | plus: add }}' }),
    }
    const first = await run(planOf(nodes, 'd', {}, words), { store })
    assert.deepEqual([first.value, first.from.c], [11 + 101, 'skipped'])
    const again = await run(planOf(nodes, 'd', { add: 2 }, words), { store })
    assert.deepEqual([again.ran, again.value, again.from.c], [['d'], 11 + 102, 'skipped'])
  })
})

describe('lists', () => {
  const nodes = {
    l: { type: 'make', each: '{{ items | split: "," }}', params: { name: '{{ item }}', add: '{{ index | plus: 1 }}' } },
    m: { type: 'add', inputs: { image: 'l' }, params: { name: 'm', add: '{{ nodes.l.sum }}' } },
    g: { type: 'add', inputs: { image: 'one', more: 'm' }, params: { name: 'g' } },
    one: { type: 'make', params: { name: 'one' } },
    last: step('last', 'g', { add: '{{ add }}' }),
  }
  const declared = [...words, { name: 'items', type: 'string', default: 'x,y,z' }]
  const plan = (values: object) => planOf(nodes, 'last', values, declared)

  it('are cached as one result with their values, and different items are different lists', async () => {
    const store = memory()
    const first = await run(plan({}), { store })
    assert.equal(first.value, 1 + 1 + (1 + 1) + (2 + 2) + (3 + 3) + 1)
    assert.deepEqual((await run(plan({}), { store })).ran, [])
    assert.deepEqual((await run(plan({ add: 2 }), { store })).ran, ['last'])
    const fewer = await run(plan({ items: 'x,y' }), { store })
    assert.deepEqual(fewer.ran.toSorted(), ['g', 'last', 'm', 'm', 'x', 'y'])
  })
  it('are restored with each image at its index', async () => {
    const store = memory()
    const first = await run(plan({}), { store })
    const keys = [...store.results].filter(([, { facts }]) => facts.items === undefined).map(([key]) => key)
    for (const key of keys) store.results.delete(key)
    store.outputs.clear()
    const again = await run(plan({}), { store })
    assert.deepEqual([again.ran.toSorted(), again.value], [['g', 'last', 'one'], first.value])
    assert.deepEqual([again.from.l, again.from.m], ['cache', 'cache'])
    assert.equal(again.result.steps.find(({ node }) => node === 'm')?.count, 3)
  })
})

describe('a resumed execution', () => {
  const bad = (more: object = {}) => ({
    r: { type: 'roll', params: { name: 'r' } },
    l: { type: 'load', params: { source: 'http://x' } },
    a: { ...step('a', 'r'), cache: false },
    b: step('b', 'l'),
    c: { type: 'add', inputs: { image: 'a', other: 'b' }, params: { name: 'c', how: '{{ how }}', ...more } },
  })
  const how = [{ name: 'how', type: 'string', default: 'badly' }]

  it('repeats no finished step, not even unique or fetched ones', async () => {
    const failed = await run(planOf(bad(), 'c', {}, how))
    assert.ok(failed.result.fault)
    assert.deepEqual(failed.ran.toSorted(), ['a', 'b', 'c failed', 'load http://x', 'r'])
    const resumed = await run(planOf(bad(), 'c', { how: 'well' }, how), { checkpoints: checkpointsOf(failed) })
    assert.deepEqual(resumed.ran, ['c'])
    assert.deepEqual(resumed.from, { r: 'resumed', l: 'resumed', a: 'resumed', b: 'resumed', c: 'completed' })
    assert.ok(resumed.value)
  })
  it('retains only the images that an unfinished step still needs', async () => {
    const failed = await run(planOf(bad(), 'c', {}, how))
    const images = finishedOf(failed).filter(({ packed }) => packed !== undefined)
    assert.deepEqual([finishedOf(failed).length, images.length], [4, 2])
  })
  it('repeats the steps that corrected parameters affect, and all later ones', async () => {
    const nodes = { ...bad(), b: step('b', 'l', { add: '{{ add }}' }) }
    const declared = [...how, ...words]
    const failed = await run(planOf(nodes, 'c', {}, declared))
    const checkpoints = checkpointsOf(failed)
    const resumed = await run(planOf(nodes, 'c', { how: 'well', add: 9 }, declared), { checkpoints })
    // The bytes of the source were let go once `b` had them.
    assert.deepEqual(resumed.ran.toSorted(), ['b', 'c', 'load http://x'])
  })
  it('does not cache results if the source has other bytes than the failed execution read', async () => {
    const nodes = {
      l: { type: 'load', params: { source: '{{ source }}' } },
      b: step('b', 'l', { add: '{{ add }}' }),
      c: step('c', 'b', { how: '{{ how }}' }),
      d: step('d', 'c'),
    }
    const declared = [...how, ...words, { name: 'source', type: 'string', default: 'http://x' }]
    const store = memory()
    const failed = await run(planOf(nodes, 'd', {}, declared), { store, sources: { 'http://x': 'A' } })
    const well = planOf(nodes, 'd', { how: 'well', add: 9 }, declared)
    const resumed = await run(well, { store, checkpoints: checkpointsOf(failed), sources: { 'http://x': 'Z' } })
    assert.deepEqual([resumed.ran, resumed.value], [['load http://x', 'b', 'c', 'd'], 'Z'.charCodeAt(0) + 11])
    const ownPlan = planOf(nodes, 'd', { how: 'well', add: 9, source: 'own' }, declared)
    const options = { store, own: ['own'], sources: { own: 'A' } }
    assert.equal((await run(ownPlan, options)).value, 'A'.charCodeAt(0) + 11)
  })
  it('has both results of the same non-deterministic task', async () => {
    const nodes = {
      r: { type: 'roll', params: { name: 'r' } },
      s: { type: 'roll', params: { name: 'r' } },
      c: { type: 'add', inputs: { image: 'r', other: 's' }, params: { name: 'c', add: 0, how: '{{ how }}' } },
    }
    const before = randomCalls
    const failed = await run(planOf(nodes, 'c', {}, how))
    const resumed = await run(planOf(nodes, 'c', { how: 'well' }, how), { checkpoints: checkpointsOf(failed) })
    assert.deepEqual([resumed.ran, resumed.value], [['c'], 2 * before + 3])
  })
  it('continues from values whose images were released', async () => {
    const nodes = {
      r: { type: 'roll', params: { name: 'r' } },
      a: step('a', 'r'),
      c: { type: 'add', inputs: { image: 'a' }, params: { name: 'c', how: '{{ how }}', add: '{{ nodes.a.sum }}' } },
    }
    const failed = await run(planOf(nodes, 'c', {}, how))
    const resumed = await run(planOf(nodes, 'c', { how: 'well' }, how), { checkpoints: checkpointsOf(failed) })
    assert.deepEqual(resumed.ran, ['c'])
  })
  it('that fails again keeps its own finished steps', async () => {
    const store = memory()
    const nodes = { ...bad(), d: step('d', 'c', { how: '{{ last }}' }) }
    const declared = [...how, { name: 'last', type: 'string', default: 'badly' }]
    const first = await run(planOf(nodes, 'd', {}, declared), { store })
    const second = await run(planOf(nodes, 'd', { how: 'well' }, declared), {
      store,
      checkpoints: checkpointsOf(first),
    })
    assert.ok(second.result.fault)
    const checkpoints = new Map([...checkpointsOf(first), ...checkpointsOf(second)])
    const third = await run(planOf(nodes, 'd', { how: 'well', last: 'well' }, declared), { store, checkpoints })
    assert.deepEqual(third.ran, ['d'])
  })
  it('caches later results of a source by the bytes that were read before', async () => {
    const store = memory()
    const nodes = { l: bad().l, b: step('b', 'l'), c: step('c', 'b', { how: '{{ how }}' }) }
    const failed = await run(planOf(nodes, 'c', {}, how), { store, sources: { 'http://x': 'one' } })
    await run(planOf(nodes, 'c', { how: 'well' }, how), { store, checkpoints: checkpointsOf(failed) })
    const whole = await run(planOf(nodes, 'c', { how: 'well' }, how), { store, sources: { 'http://x': 'one' } })
    assert.deepEqual([whole.ran, whole.encodes], [['load http://x'], 0])
  })
})

describe('predicted cache hits', () => {
  const reuse = (store: ReturnType<typeof memory>) => ({
    cache: store.cache,
    keyContext: keyContextOf({}, [], (source) => Buffer.from(source)),
  })
  it('match the actual hits: all, some, or none', async () => {
    const store = memory()
    const nodes = { ...chain, c: step('c', 'b', { add: '{{ add }}' }) }
    const plan = (value: number) => planOf(nodes, 'c', { add: value }, words)
    assert.deepEqual(await predictCacheHits(plan(1), reuse(store)), new Set())
    await run(plan(1), { store })
    assert.deepEqual(await predictCacheHits(plan(1), reuse(store)), new Set(['a', 'b', 'c']))
    assert.deepEqual(await predictCacheHits(plan(2), reuse(store)), new Set(['a', 'b']))
    assert.deepEqual(store.reads, [])
  })
})

describe('memory of a run', () => {
  it('does not include resumed results that are only bytes, like those that are read first', async () => {
    const nodes = {
      l: { type: 'load', each: 5, params: { source: 'http://x' } },
      one: { type: 'make', params: { name: 'one' } },
      c: { type: 'add', inputs: { image: 'one', more: 'l' }, params: { name: 'c', how: '{{ how }}' } },
    }
    const declared = [{ name: 'how', type: 'string', default: 'badly' }]
    // Four pictures of five.
    const pixels = createPixelBudget(1e6, 32)
    const failed = await run(planOf(nodes, 'c', {}, declared), { pixels })
    assert.equal(failed.result.fault?.details.reason, 'input_invalid')
    const resumed = await run(planOf(nodes, 'c', { how: 'well' }, declared), {
      pixels,
      checkpoints: checkpointsOf(failed),
    })
    assert.deepEqual([resumed.result.fault, resumed.ran], [undefined, ['c']])
  })
  it('includes results read from the cache, and releases all of them', async () => {
    const store = memory()
    const nodes = { ...chain, c: step('c', 'b', { add: '{{ add }}' }) }
    await run(planOf(nodes, 'c', {}, words), { store })
    const small = createPixelBudget(1e6, 7)
    const refused = await run(planOf(nodes, 'c', { add: 3 }, words), { store, pixels: small })
    assert.match(refused.result.fault?.message ?? '', /needs 8 pixels/)
    const pixels = createPixelBudget(16, 1e6)
    for (const value of [4, 5, 6]) {
      const { result } = await run(planOf(nodes, 'c', { add: value }, words), { store, pixels })
      assert.equal(result.fault, undefined)
    }
    const share = pixels.open()
    pixels.open()
    await share.reserve(16, AbortSignal.timeout(100))
  })
})
