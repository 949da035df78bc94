/** Test operations without image work. The engine knows no real operation by name. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { failure, MachineBusy } from '../errors.ts'
import type { ImageValue } from '../imaging/types.ts'
import { type Catalogue, defineOperation, type Operation, socket } from '../operations/define.ts'
import { createChecker } from './check/check.ts'
import type { CheckedWorkflow } from './check/checked-workflow.ts'
import { type Plan, planExecution } from './plan/plan.ts'

/** The fields of an operation on which no test depends. */
export const common = {
  version: 1,
  title: 'T',
  summary: 'S.',
  keywords: [],
  alpha: 'made' as const,
  frames: 'first' as const,
  deterministic: true,
  examples: [],
}
export const closed = { additionalProperties: false }

/** An image without pixels. */
export function imageOf(width: number, height = width): ImageValue {
  return { width, height, hasAlpha: false, format: 'raw' }
}

/** One colour, so that results can be packed. */
export function gray(tone: number, width = 4): ImageValue {
  const data = Buffer.alloc(width * 2 * 3, tone)
  return { width, height: 2, hasAlpha: false, format: 'raw', pixels: { data, width, height: 2, channels: 3 } }
}

export function toneOf(image: ImageValue | undefined): number {
  return image?.pixels?.data[0] ?? image?.encoded?.[0] ?? 0
}

/** An operation that opens its source, like those that load images. */
export function loading(onOpen: (source: string) => void) {
  return defineOperation({
    ...common,
    id: 'load',
    deterministic: false,
    reads: { sources: ['source'] },
    group: 'source',
    inputs: {},
    params: Type.Object({ source: Type.String() }, closed),
    outputs: { image: 'I.' },
    async run(_, { source }, context): Promise<{ image: ImageValue }> {
      onOpen(source)
      const { bytes: encoded } = await context.open(source)
      return { image: { width: 4, height: 2, hasAlpha: false, format: 'png', encoded } }
    },
  })
}

/** Plans documents of these operations. Fails if one has an issue. */
export function plannerOf(operations: Operation[]): (document: object, values?: Record<string, unknown>) => Plan {
  const check = createChecker(catalogueOf(operations))
  return (document, values = {}) => {
    const checked = check({ name: 'T', ...document })
    assert.deepEqual(checked.issues, undefined)
    const planned = planExecution(checked.workflow as CheckedWorkflow, values)
    assert.deepEqual(planned.issues, undefined)
    return planned.plan as Plan
  }
}

function catalogueOf(operations: Operation[]): Catalogue {
  return new Map(operations.map((operation) => [operation.id, operation]))
}

/** The start and end of operations, in order. */
export const events: string[] = []

const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      width: Type.Integer({ minimum: 1, maximum: 1000, default: 10 }),
      height: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      color: Type.String({ format: 'color', default: 'white' }),
      flag: Type.Boolean({ default: false }),
    },
    closed,
  ),
  outputs: { image: 'It.', values: { caption: Type.String() } },
  run: async (_inputs, { width, height, color }) => ({
    image: imageOf(width, height ?? width),
    caption: `${color} ${width}`,
  }),
})

const join = defineOperation({
  ...common,
  id: 'join',
  group: 'combine',
  inputs: {
    image: socket.one('First.'),
    overlay: socket.optional('Second.'),
    more: { ...socket.many('Rest.'), required: false },
  },
  params: Type.Object(
    {
      mode: Type.Enum(['wide', 'tall'], { default: 'wide' }),
      box: Type.Optional(Type.Object({ x: Type.Number(), name: Type.Optional(Type.String()) }, closed)),
    },
    closed,
  ),
  outputs: { image: 'It.' },
  run: async ({ image, overlay, more }) => ({
    image: imageOf(
      image.width + (overlay?.width ?? 0) + (more as ImageValue[]).reduce((sum, each) => sum + each.width, 0),
    ),
  }),
})

const gather = defineOperation({
  ...common,
  id: 'gather',
  group: 'combine',
  inputs: { images: socket.many('All.') },
  params: Type.Object({}, closed),
  outputs: { image: 'It.' },
  run: async ({ images }) => ({ image: imageOf(images.reduce((sum, { width }) => sum + width, 0)) }),
})

const last = defineOperation({
  ...common,
  id: 'last',
  group: 'combine',
  inputs: { images: socket.many('All.') },
  params: Type.Object({ new: Type.Boolean({ default: false }) }, closed),
  outputs: { image: 'It.' },
  run: async ({ images }, { new: isNew }) => ({ image: (isNew ? undefined : images.at(-1)) ?? imageOf(1) }),
})

const photograph = defineOperation({
  ...common,
  id: 'photograph',
  group: 'source',
  inputs: {},
  params: Type.Object({}, closed),
  outputs: { image: 'It.' },
  run: async () => ({ image: { ...imageOf(2), metadata: { density: 300 } } }),
})

const wait = defineOperation({
  ...common,
  id: 'wait',
  group: 'filter',
  inputs: { image: socket.one('It.') },
  params: Type.Object({ name: Type.String(), ms: Type.Integer(), deaf: Type.Boolean({ default: false }) }, closed),
  outputs: { image: 'It.' },
  async run({ image }, { name, ms, deaf }, { signal }) {
    events.push(`begin ${name}`)
    await pause(ms, undefined, deaf ? {} : { signal })
    events.push(`end ${name}`)
    return { image }
  },
})

const fail = defineOperation({
  ...common,
  id: 'fail',
  group: 'filter',
  inputs: { image: socket.one('It.') },
  params: Type.Object({ how: Type.Enum(['failure', 'crash', 'busy']) }, closed),
  outputs: { image: 'None.' },
  async run(_inputs, { how }) {
    if (how === 'failure') throw failure('input_invalid', 'It cannot be done.')
    if (how === 'busy') throw new MachineBusy('The machine is busy.')
    throw new TypeError('secret detail')
  },
})

export const testCatalogue = catalogueOf([make, join, gather, last, photograph, wait, fail])
