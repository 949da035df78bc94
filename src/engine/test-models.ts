/** Operations that call models, and scripted models, for the tests of the engine. */
import Type, { type TObject } from 'typebox'
import type {
  CallSite,
  ModelCallRecord,
  ModelInvocation,
  ModelRequirements,
  ModelResponse,
  Models,
} from '../domain/models/model.ts'
import { type Catalogue, defineOperation, type OperationContext, socket } from '../operations/define.ts'
import type { PackedResult } from './cache/packed.ts'
import type { StepCache } from './cache/ports.ts'
import type { InvokeModel } from './run/model-calls.ts'
import { closed, common, gray } from './test-catalogue.ts'

const models = { model: Type.Optional(Type.String()), fallback: Type.Optional(Type.Array(Type.String())) }

async function respondTo(
  { invokeModel }: OperationContext,
  capability: ModelInvocation['capability'],
  params: { model?: string },
): Promise<ModelResponse> {
  if (invokeModel === undefined) throw new Error('there is nobody to ask')
  return invokeModel({
    capability,
    ...params,
    requirements: [],
    onUnknownOutcome: 'fail',
    request: async () => ({ images: [] }),
  })
}

const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: Type.Object({ tone: Type.Integer({ default: 1 }) }, closed),
  outputs: { image: 'I.', values: { tone: Type.Integer() } },
  run: async (_, { tone }) => ({ image: gray(tone), tone }),
})

const join = defineOperation({
  ...common,
  id: 'join',
  group: 'combine',
  inputs: { image: socket.one('A.'), other: socket.optional('B.') },
  params: Type.Object({ text: Type.Optional(Type.String()), fails: Type.Boolean({ default: false }) }, closed),
  outputs: { image: 'I.' },
  async run({ image, other }, { fails }) {
    if (fails) throw new Error('as it was told')
    return { image: gray((image.pixels?.data[0] ?? 0) + (other?.pixels?.data[0] ?? 0)) }
  },
})

const paint = defineOperation({
  ...common,
  id: 'paint',
  group: 'ai',
  inputs: { images: { ...socket.many('A.'), required: false } },
  params: Type.Object(
    {
      times: Type.Integer({ default: 1 }),
      width: Type.Optional(Type.Integer()),
      height: Type.Optional(Type.Integer()),
      seed: Type.Optional(Type.Integer()),
      clear: Type.Boolean({ default: false }),
      ...models,
    },
    closed,
  ),
  outputs: { image: 'I.' },
  usesModel: {
    capability: 'generate',
    requirements: { size: ['width', 'height'], seed: 'seed', transparency: 'clear', images: 'images' },
  },
  deterministic: ({ seed }) => seed !== undefined,
  async run(_, { times, ...params }, context) {
    for (let i = 0; i < times; i += 1) await respondTo(context, 'generate', params)
    return { image: gray(7) }
  },
})

const look = defineOperation({
  ...common,
  id: 'look',
  group: 'ai',
  inputs: { image: socket.one('A.') },
  params: Type.Object(models, closed),
  outputs: { image: 'I.', values: { text: Type.String() } },
  usesModel: { capability: 'describe', requirements: {} },
  async run({ image }, params, context) {
    return { image, text: (await respondTo(context, 'describe', params)).text ?? '' }
  },
})

const say = defineOperation({
  ...common,
  id: 'say',
  group: 'ai',
  frames: 'none',
  inputs: {},
  params: Type.Object({ seed: Type.Optional(Type.Integer()), ...models } satisfies TObject['properties'], closed),
  outputs: { image: undefined, values: { text: Type.String() } },
  usesModel: { capability: 'write', requirements: { seed: 'seed' } },
  deterministic: ({ seed }) => seed !== undefined,
  async run(_, params, context) {
    return { text: (await respondTo(context, 'write', params)).text ?? '' }
  },
})

const judge = defineOperation({
  ...common,
  id: 'judge',
  group: 'ai',
  inputs: { images: socket.many('A.') },
  params: Type.Object(models, closed),
  outputs: { image: 'I.' },
  usesModel: { capability: 'judge', requirements: { images: 'images' }, imagesMin: 2 },
  async run({ images }, params, context) {
    if (images.length > 1) await respondTo(context, 'judge', params)
    return { image: images[0] ?? gray(0) }
  },
})

export const modelCatalogue: Catalogue = new Map([make, join, paint, look, say, judge].map((each) => [each.id, each]))

/** `plain` has no optional features; `rich` has all. A response of `plain` costs 10 to 20, one of `rich` 100. */
export function scriptedModels(standard = 'a/plain'): Models {
  const priceOf: Record<string, [number, number]> = { 'a/plain': [10, 20], 'a/rich': [100, 100] }
  return {
    choose({ model, fallback = [], requirements }: ModelRequirements) {
      const named = [...(model === undefined ? [] : [{ model, path: 'model' }]), ...fallback.map(fallbackAt)]
      const chain = [...(model === undefined ? [standard] : []), ...named.map((each) => each.model)]
      const unknown = named.filter((each) => !(each.model in priceOf))
      const cannot = chain.includes('a/plain')
        ? requirements.map(({ path, kind }) => ({ path, message: `a/plain knows no ${kind}` }))
        : []
      return { chain, issues: [...unknown.map(({ path }) => ({ path, message: 'is not known' })), ...cannot] }
    },
    ready: (chain) => chain.map((model) => ({ model })),
    costOf(chain) {
      const prices = chain.flatMap((model) => priceOf[model] ?? [])
      return prices.length < chain.length
        ? undefined
        : { minMicros: Math.min(...prices), maxMicros: Math.max(...prices) }
    },
  }
}

function fallbackAt(model: string, i: number) {
  return { model, path: `fallback.${i}` }
}

export function callOf(model: string, outcome = 'done'): ModelCallRecord {
  return { model, outcome, costUsd: 0.01, costSource: 'computed' }
}

/** Responds to all invocations and records their call sites. */
export function scriptedInvoke(responses: Partial<Record<ModelInvocation['capability'], ModelResponse>> = {}) {
  const sites: CallSite[] = []
  const invokeModel: InvokeModel = async (site, { capability, model = 'a/plain' }, { onCalls }) => {
    sites.push(site)
    onCalls([callOf(model)])
    return responses[capability] ?? { model, images: [], text: 'a cat' }
  }
  return { invokeModel, sites, calledNodes: () => sites.map(({ node }) => node) }
}

/** A step cache of one account that accepts everything. */
export function memory() {
  const results = new Map<string, PackedResult>()
  const cache: StepCache = {
    async find(keys) {
      return new Map(
        keys.flatMap((key) => {
          const packed = results.get(key)
          return packed
            ? [[key, { facts: structuredClone(packed.facts), read: async () => Buffer.concat(packed.parts) }]]
            : []
        }),
      )
    },
    findOutputs: async () => new Map(),
    offer: (key, packed) => void results.set(key, packed),
    keep: async (key, packed) => void results.set(key, packed),
  }
  return { cache, results }
}
