/** Test operations without image work. The engine knows no real operation by name. */
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { failure } from '../errors.ts'
import type { ImageValue } from '../imaging/types.ts'
import { type Catalogue, defineOperation, socket } from '../operations/define.ts'

export function imageOf(width: number, height = width): ImageValue {
  return { width, height, hasAlpha: false, format: 'raw' }
}

/** The start and end of operations, in order. */
export const events: string[] = []

const make = defineOperation({
  id: 'make',
  version: 1,
  title: 'Make',
  summary: 'Makes a picture.',
  keywords: [],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      width: Type.Integer({ minimum: 1, maximum: 1000, default: 10 }),
      height: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      color: Type.String({ format: 'color', default: 'white' }),
      flag: Type.Boolean({ default: false }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'It.', values: { caption: Type.String() } },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  run: async (_inputs, { width, height, color }) => ({
    image: imageOf(width, height ?? width),
    caption: `${color} ${width}`,
  }),
})

const join = defineOperation({
  id: 'join',
  version: 1,
  title: 'Join',
  summary: 'Adds the widths of its images.',
  keywords: [],
  group: 'combine',
  inputs: {
    image: socket.one('First.'),
    overlay: socket.optional('Second.'),
    more: { ...socket.many('Rest.'), required: false },
  },
  params: Type.Object(
    {
      mode: Type.Enum(['wide', 'tall'], { default: 'wide' }),
      box: Type.Optional(
        Type.Object({ x: Type.Number(), name: Type.Optional(Type.String()) }, { additionalProperties: false }),
      ),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  run: async ({ image, overlay, more }) => ({
    image: imageOf(
      image.width + (overlay?.width ?? 0) + (more as ImageValue[]).reduce((sum, each) => sum + each.width, 0),
    ),
  }),
})

const gather = defineOperation({
  id: 'gather',
  version: 1,
  title: 'Gather',
  summary: 'Adds the widths of its images.',
  keywords: [],
  group: 'combine',
  inputs: { images: socket.many('All.') },
  params: Type.Object({}, { additionalProperties: false }),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  run: async ({ images }) => ({ image: imageOf(images.reduce((sum, { width }) => sum + width, 0)) }),
})

const last = defineOperation({
  id: 'last',
  version: 1,
  title: 'Last',
  summary: 'Hands the last of its images on, or a new one.',
  keywords: [],
  group: 'combine',
  inputs: { images: socket.many('All.') },
  params: Type.Object({ new: Type.Boolean({ default: false }) }, { additionalProperties: false }),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  run: async ({ images }, { new: isNew }) => ({ image: (isNew ? undefined : images.at(-1)) ?? imageOf(1) }),
})

const photograph = defineOperation({
  id: 'photograph',
  version: 1,
  title: 'Photograph',
  summary: 'Makes a picture of which a file said more.',
  keywords: [],
  group: 'source',
  inputs: {},
  params: Type.Object({}, { additionalProperties: false }),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  run: async () => ({ image: { ...imageOf(2), metadata: { density: 300 } } }),
})

const wait = defineOperation({
  id: 'wait',
  version: 1,
  title: 'Wait',
  summary: 'Hands its image on after a while.',
  keywords: [],
  group: 'filter',
  inputs: { image: socket.one('It.') },
  params: Type.Object(
    { name: Type.String(), ms: Type.Integer(), deaf: Type.Boolean({ default: false }) },
    { additionalProperties: false },
  ),
  outputs: { image: 'It.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  async run({ image }, { name, ms, deaf }, { signal }) {
    events.push(`begin ${name}`)
    await pause(ms, undefined, deaf ? {} : { signal })
    events.push(`end ${name}`)
    return { image }
  },
})

const fail = defineOperation({
  id: 'fail',
  version: 1,
  title: 'Fail',
  summary: 'Fails.',
  keywords: [],
  group: 'filter',
  inputs: { image: socket.one('It.') },
  params: Type.Object({ how: Type.Enum(['failure', 'crash']) }, { additionalProperties: false }),
  outputs: { image: 'None.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [],
  async run(_inputs, { how }) {
    if (how === 'failure') throw failure('input_invalid', 'It cannot be done.')
    throw new TypeError('secret detail')
  },
})

export const testCatalogue: Catalogue = new Map(
  [make, join, gather, last, photograph, wait, fail].map((operation) => [operation.id, operation]),
)
