import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { until } from '../../../test/harness/wait.ts'
import { systemClock } from '../../domain/clock.ts'
import { failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../../operations/define.ts'
import type { PackedResult } from '../cache/packed.ts'
import type { Checkpoint, StepCache, StoredCheckpoint, StoredOutput } from '../cache/ports.ts'
import { predictCacheHits } from '../cache/predict-cache-hits.ts'
import type { Plan } from '../plan/plan.ts'
import { closed, common, plannerOf } from '../test-catalogue.ts'
import type { EncodedPage, RunFile } from './output-ports.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { runPlan } from './run.ts'

/** The nodes that ran, and the files that were encoded, in their order. */
let ran: string[] = []
let encoded: string[] = []

/** An image with pixels, so that it can be packed. */
function imageOf(width: number, height: number): ImageValue {
  const pixels = { data: Buffer.alloc(0), width, height, channels: 3 as const }
  return { width, height, hasAlpha: false, format: 'raw', pixels }
}

const sized = Type.Object({ width: Type.Integer({ default: 400 }) }, closed)
const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: sized,
  outputs: { image: 'I.' },
  async run(_, { width }) {
    ran.push(`make ${width}`)
    return { image: imageOf(width, 100) }
  },
})
const turn = defineOperation({
  ...common,
  id: 'turn',
  group: 'filter',
  inputs: { image: socket.one('I.') },
  params: Type.Object({}, closed),
  outputs: { image: 'I.' },
  async run({ image }) {
    ran.push('turn')
    return { image: imageOf(image.height, image.width) }
  },
})
const plan = plannerOf([make, turn])
const planOf = (nodes: object, outputs: object, parameters: object[] = [], values = {}) =>
  plan({ parameters, nodes, output: { node: 'a', format: 'png' }, outputs }, values)

/** The step cache of an account, and the files in its storage. */
function memory() {
  const results = new Map<string, PackedResult>()
  const outputs = new Map<string, StoredOutput>()
  const blobs = new Map<string, Buffer>()
  const cache: StepCache = {
    async find(keys) {
      return new Map(
        keys.flatMap((key) => {
          const packed = results.get(key)
          return packed ? [[key, { facts: packed.facts, read: async () => Buffer.concat(packed.parts) }]] : []
        }),
      )
    },
    findOutputs: async (keys) =>
      new Map(
        keys.flatMap((key): [string, StoredOutput][] => {
          const found = outputs.get(key)
          return found ? [[key, found]] : []
        }),
      ),
    offer: (key, packed) => void results.set(key, packed),
    keep: async (key, packed) => void results.set(key, packed),
  }
  function add(file: RunFile | undefined) {
    for (const key of file?.cacheable?.keys ?? []) {
      const { format, width, height, pages } = file as RunFile
      const stored = file?.stored ?? { id: `img_${key.slice(0, 8)}`, size: 1, sha256: '' }
      outputs.set(key, { format, width, height, pages, take: async () => ({ stored }) })
    }
  }
  return { cache, outputs, blobs, add }
}

interface Options {
  store?: ReturnType<typeof memory>
  checkpoints?: Map<string, StoredCheckpoint>
  /** The path of the output whose files can't be encoded. It fails when the store has this number of files. */
  fails?: { at: string; after?: number }
}

async function run(plan: Plan, { store = memory(), checkpoints, fails }: Options = {}) {
  ran = []
  encoded = []
  let id = 0
  const pixels = createPixelBudget(1e8, 1e8)
  const keyContext = { fingerprint: 'here', identify: async () => undefined, fonts: async () => [] }
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 10,
    pixelsMax: 1e8,
    pixels,
    open: async () => ({ bytes: Buffer.alloc(0) }),
    reuse: { keyContext, cache: store.cache, checkpoints },
    async encode({ width, height }, { format = 'png' }, { outputPath = 'output' }) {
      if (outputPath === fails?.at) {
        const { after = 0 } = fails
        await until(`${after} stored files`, () => (store.blobs.size >= after ? true : undefined))
        throw failure('limit_exceeded', 'It is too large.')
      }
      if (format === 'auto') throw new Error('no plan here has it')
      encoded.push(`${outputPath} ${width} ${format}`)
      return { bytes: Buffer.from(`${width} ${format}`), format, width, height }
    },
    named: {
      async scale(image, width) {
        ran.push(`scale ${width}`)
        return imageOf(width, (image.height * width) / image.width)
      },
      async placeholder() {
        ran.push('placeholder')
        return { color: '#102030', blurhash: 'hash' }
      },
      async encodePage({ width, height }, page) {
        encoded.push(`page ${width}`)
        return { page, bytes: Buffer.from(`${width}`), format: 'jpeg', width, height }
      },
      bindPages: async (pages: readonly EncodedPage[]) => Buffer.from(pages.map(({ bytes }) => bytes).join(',')),
      async store({ bytes, format }) {
        const stored = { id: `img_${++id}`, size: bytes.length, sha256: '' }
        store.blobs.set(`${stored.id}.${format}`, bytes)
        return stored
      },
    },
    clock: systemClock,
    onProgress: () => undefined,
  })
  if (!result.fault)
    for (const each of [result.output, ...result.outputs.flatMap(({ files }) => files)]) store.add(each)
  const files = Object.fromEntries(
    (result.fault ? [] : result.outputs).map(({ output, files }) => [
      output,
      files.map(({ width, format }) => `${width} ${format}`),
    ]),
  )
  return { result, files, store }
}

const a = { type: 'make' }
const schema = { type: 'array', items: { type: 'integer' } }
const sizes = { name: 'sizes', type: 'string', format: 'json', schema }

describe('several outputs', () => {
  it('come from one run of the steps, with one encoding for each file and one scaling for each width', async () => {
    const nodes = { a, b: { type: 'turn', inputs: { image: 'a' } } }
    const outputs = {
      tall: { node: 'b', format: 'webp' },
      hero: { node: 'a', widths: [300, 100], formats: ['avif', 'jpeg'] },
      small: { node: 'a', width: 50 },
    }
    const { files, result } = await run(planOf(nodes, outputs))
    assert.deepEqual(files, {
      tall: ['100 webp'],
      hero: ['100 avif', '300 avif', '100 jpeg', '300 jpeg'],
      small: ['50 png'],
    })
    assert.deepEqual(ran.filter((name) => !name.startsWith('scale')).sort(), ['make 400', 'placeholder', 'turn'])
    assert.deepEqual(ran.filter((name) => name.startsWith('scale')).sort(), ['scale 100', 'scale 300', 'scale 50'])
    assert.equal(encoded.length, 1 + 1 + 4 + 1)
    assert.equal(result.output?.bytes?.toString(), '400 png')
    const hero = result.fault ? undefined : result.outputs.find(({ output }) => output === 'hero')
    assert.deepEqual(hero?.placeholder, { color: '#102030', blurhash: 'hash' })
    assert.deepEqual(
      result.steps.map(({ node, outputs: names }) => [node, names]),
      [
        ['a', ['hero', 'small']],
        ['b', ['tall']],
      ],
    )
  })

  it('are never enlarged: larger widths become one file with the width of the image', async () => {
    const plan = planOf({ a }, { hero: { node: 'a', widths: [200, 500, 900], format: 'webp' } })
    const { files, store } = await run(plan)
    assert.deepEqual(files.hero, ['200 webp', '400 webp'])
    assert.deepEqual(encoded.sort(), ['output 400 png', 'outputs.hero 200 webp', 'outputs.hero 400 webp'])
    const again = await run(plan, { store })
    assert.deepEqual(again.files.hero, ['200 webp', '400 webp'])
    assert.deepEqual([ran, encoded], [[], []])
  })

  it('come from the cache file by file, under the key of the same file in another output', async () => {
    const { store } = await run(planOf({ a }, { hero: { node: 'a', widths: [100, 200], formats: ['webp', 'jpeg'] } }))
    const other = planOf({ a }, { one: { node: 'a', width: 100, format: 'jpeg' } })
    assert.deepEqual((await run(other, { store })).files, { one: ['100 jpeg'] })
    assert.deepEqual([ran, encoded], [[], []])
    const reuse = { keyContext: { fingerprint: 'here', identify: async () => undefined, fonts: async () => [] } }
    assert.deepEqual([...(await predictCacheHits(other, { ...reuse, cache: store.cache }))], ['a'])
    const more = planOf({ a }, { hero: { node: 'a', widths: [100, 200, 300], formats: ['webp', 'jpeg'] } })
    assert.deepEqual([...(await predictCacheHits(more, { ...reuse, cache: store.cache }))], ['a'])
    await run(more, { store })
    assert.deepEqual(encoded.sort(), ['outputs.hero 300 jpeg', 'outputs.hero 300 webp'])
  })

  it('settings can depend on values of nodes, and on lists in parameters', async () => {
    const parameters = [{ ...sizes, default: [100, 200] }]
    const outputs = {
      half: { node: 'a', width: '{{ nodes.a.width | divided_by: 2 }}' },
      hero: { node: 'a', widths: '{{ sizes }}', format: 'webp' },
    }
    const { files } = await run(planOf({ a }, outputs, parameters))
    assert.deepEqual(files, { half: ['200 png'], hero: ['100 webp', '200 webp'] })
  })

  it('fail together, and the fault names the output', async () => {
    const outputs = { big: { node: 'a', format: 'webp' }, small: { node: 'a', width: 10 } }
    const { result } = await run(planOf({ a }, outputs), { fails: { at: 'outputs.big' } })
    assert.equal(result.output, undefined)
    assert.deepEqual(result.fault?.details, { reason: 'limit_exceeded', output: 'big', node: 'a' })
  })

  it('have too many files, or too many pixels, only after a template is rendered', async () => {
    const plan = planOf({ a }, { hero: { node: 'a', widths: '{{ sizes }}' } }, [sizes], {
      sizes: Array.from({ length: limits.outputFilesMax - 1 }, (_, i) => i + 1),
    })
    assert.equal((await run(plan)).files.hero?.length, limits.outputFilesMax - 1)
    const late = planOf({ a }, { hero: { node: 'a', widths: ['{{ nodes.a.width }}', 7], formats: ['webp', 'avif'] } })
    assert.equal((await run(late)).files.hero?.length, 4)
    const side = 1 + Math.ceil(Math.sqrt(limits.outputsPixelsMax / 100))
    const large = planOf(
      { a: { type: 'make', params: { width: side * side } } },
      { one: { node: 'a', format: 'webp' } },
    )
    const { result } = await run(large)
    assert.match(result.fault?.message ?? '', /more than 400000000 pixels together/)
  })
})

describe('a PDF', () => {
  const outputs = { book: { node: ['a', 'b', 'a'], format: 'pdf' } }

  it('has a page for each image of its nodes in their order, and of lists', async () => {
    const b = { type: 'make', each: 3, params: { width: '{{ item }}' } }
    const { result, files } = await run(planOf({ a, b }, outputs))
    const [book] = result.fault ? [] : result.outputs
    assert.equal(book?.files[0]?.pages, 5)
    assert.deepEqual(files.book, ['400 pdf'])
    assert.deepEqual(encoded.filter((name) => name.startsWith('page')).sort(), [
      'page 1',
      'page 2',
      'page 3',
      'page 400',
    ])
  })

  it('leaves out the pages of nodes that are skipped, and needs at least one', async () => {
    const parameters = [{ name: 'n', type: 'number', default: 0 }]
    const b = { type: 'make', when: '{{ n }}' }
    const { result, store } = await run(planOf({ a, b }, outputs, parameters))
    assert.equal(result.fault ? 0 : result.outputs[0]?.files[0]?.pages, 2)
    assert.equal([...store.blobs.values()][0]?.toString(), '400,400')
    const list = { type: 'make', each: '{{ n }}', params: { width: '{{ item }}' } }
    const empty = await run(planOf({ a, b: list }, { book: { node: 'b', format: 'pdf' } }, parameters))
    assert.match(empty.result.fault?.message ?? '', /no page/)
  })

  it('has a limit of pages', async () => {
    const b = { type: 'make', each: limits.eachMax, params: { width: '{{ item }}' } }
    const { result } = await run(planOf({ a, b }, outputs))
    assert.match(result.fault?.message ?? '', /more than 100 pages/)
  })

  it('comes from the cache', async () => {
    const plan = planOf({ a, b: { type: 'turn', inputs: { image: 'a' } } }, outputs)
    const { store } = await run(plan)
    const { result } = await run(plan, { store })
    assert.deepEqual([ran, encoded], [[], []])
    assert.equal(result.fault ? 0 : result.outputs[0]?.files[0]?.pages, 3)
  })
})

describe('an execution that resumes one with a failed output', () => {
  const nodes = { a, b: { type: 'turn', inputs: { image: 'a' } } }
  const outputs = {
    hero: { node: 'a', widths: [100, 200], formats: ['webp', 'jpeg'] },
    book: { node: ['a', 'b'], format: 'pdf' },
    late: { node: 'b', format: 'tiff' },
  }

  function checkpointsOf(finished: readonly Checkpoint[], blobs: ReadonlyMap<string, Buffer>) {
    return new Map(
      finished.map(({ task, key, facts, packed, stored }): [string, StoredCheckpoint] => {
        const bytes = stored ? blobs.get(`${stored.id}.${stored.format}`) : packed && Buffer.concat(packed.parts)
        const asRead = JSON.parse(JSON.stringify(facts))
        return [task, { key, facts: asRead, hasImages: bytes !== undefined, read: async () => bytes }]
      }),
    )
  }

  it('takes all finished files, and makes only the one that is missing', async () => {
    const failed = await run(planOf(nodes, outputs), {
      fails: { at: 'outputs.late', after: 5 },
    })
    assert.ok(failed.result.fault)
    const { finished, stored } = failed.result
    assert.equal(stored.length, failed.store.blobs.size)
    assert.equal(stored.length, 5)
    const checkpoints = checkpointsOf(finished, failed.store.blobs)
    const { files, result, store } = await run(planOf(nodes, outputs), { checkpoints })
    assert.deepEqual(encoded, ['outputs.late 100 tiff'])
    assert.deepEqual(files, {
      hero: ['100 webp', '200 webp', '100 jpeg', '200 jpeg'],
      book: ['400 pdf'],
      late: ['100 tiff'],
    })
    assert.equal(result.fault, undefined)
    assert.deepEqual([...store.blobs.values()].map(String).sort(), [
      '100 jpeg',
      '100 tiff',
      '100 webp',
      '200 jpeg',
      '200 webp',
      '400 png',
      '400,100',
    ])
  })
})
