/** The manifest of a model in one ONNX file: its origin, its tensors, and the conversion of images to and from them. */
import Type, { type Static, type TProperties } from 'typebox'
import { checker } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'

const closed = { additionalProperties: false }

const side = Type.Integer({ minimum: 1, maximum: limits.onnxSidePixelsMax })
const tensorName = Type.String({ minLength: 1, maxLength: 200 })
const layout = Type.Enum(['NCHW', 'NHWC'], { default: 'NCHW' })
const three = (item: Parameters<typeof Type.Array>[0], value: number) =>
  Type.Array(item, { minItems: 3, maxItems: 3, default: [value, value, value] })
/** Values of black and of white. */
const range = Type.Array(Type.Number({ minimum: -1_000, maximum: 1_000 }), { minItems: 2, maxItems: 2 })

const tensor = {
  /** Default: the only input of the model. */
  name: Type.Optional(tensorName),
  layout,
  channels: Type.Enum(['RGB', 'BGR'], { default: 'RGB' }),
  range: Type.Optional(range),
  /** Mean of values in `range`: (value - mean) / std. */
  mean: three(Type.Number({ minimum: -1_000, maximum: 1_000 }), 0),
  std: three(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }), 1),
}

const fixedSize = {
  /** A square. */
  size: Type.Optional(side),
  width: Type.Optional(side),
  height: Type.Optional(side),
}

const fit = {
  /** stretch: to the size of the input. contain: in its aspect ratio, with padding. */
  fit: Type.Enum(['stretch', 'contain'], { default: 'stretch' }),
  position: Type.Enum(['center', 'start'], { default: 'center' }),
  padding: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    'x-expected': 'a colour such as "#727272"',
    default: '#000000',
  }),
}

/** A model whose input has no fixed size: sides are multiples of a number. */
const multipleOf = Type.Optional(side)

const maskOutput = {
  /** Default: the first output of the model. */
  name: Type.Optional(tensorName),
  /** Default: that of the input. */
  layout: Type.Optional(Type.Enum(['NCHW', 'NHWC'])),
  /** Index of the foreground, if the model returns several channels. */
  channel: Type.Integer({ minimum: 0, maximum: 999, default: 0 }),
  /** minmax: the lowest value of the image becomes 0, and the highest 1. */
  activation: Type.Enum(['none', 'sigmoid', 'softmax', 'minmax'], { default: 'none' }),
}

const upscaleOutput = {
  name: Type.Optional(tensorName),
  layout: Type.Optional(Type.Enum(['NCHW', 'NHWC'])),
  /** Default: that of the input. */
  range: Type.Optional(range),
}

const detectOutput = {
  /** rows: one tensor with all values of a box. separate: a tensor each for boxes, scores and classes. */
  format: Type.Enum(['rows', 'separate'], { default: 'rows' }),
  /** Output with the `rows`. Default: the first output of the model. */
  name: Type.Optional(tensorName),
  /** The values of `rows` after the four of the box. */
  values: Type.Enum(['scores', 'objectness-scores', 'score-class'], { default: 'scores' }),
  /** Whether the values of a box of `rows` are a column: [1, values, boxes]. */
  transposed: Type.Boolean({ default: false }),
  /** Output with the boxes of `separate`. */
  boxes: Type.Optional(tensorName),
  scores: Type.Optional(tensorName),
  classes: Type.Optional(tensorName),
  box: Type.Enum(['xyxy', 'yxyx', 'xywh', 'cxcywh'], { default: 'xyxy' }),
  /** pixels of the input, or shares of its width and height. */
  units: Type.Enum(['pixels', 'fraction'], { default: 'pixels' }),
  /** Activation of the scores. */
  activation: Type.Enum(['none', 'sigmoid', 'softmax'], { default: 'none' }),
  /** Overlap (intersection over union) from which two boxes are one. 1: the model has removed duplicates. */
  nms: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 0.5 }),
}

const label = Type.String({ minLength: 1, maxLength: 100 })
const labels = Type.Optional(Type.Array(label, { minItems: 1, maxItems: limits.onnxLabelsMax, uniqueItems: true }))

const common = {
  name: Type.String({
    pattern: '^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$',
    'x-expected': 'at most 64 lower-case letters, digits, dots and hyphens, starting and ending with a letter or digit',
  }),
  summary: Type.Optional(Type.String({ maxLength: 300 })),
  license: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9.+ -]{0,99}$',
    'x-expected': 'an SPDX identifier, such as MIT or Apache-2.0',
  }),
  file: Type.String({ minLength: 1, maxLength: limits.urlCharsMax }),
  sha256: Type.Optional(
    Type.String({ pattern: '^[0-9a-fA-F]{64}$', 'x-expected': 'the SHA-256 of the file as 64 hexadecimal digits' }),
  ),
}

const objectOf = <P extends TProperties>(properties: P) => Type.Object(properties, closed)

const mask = objectOf({
  ...common,
  task: Type.Literal('mask'),
  /** Input; with `multipleOf` its maximum is that of the longer side. */
  input: objectOf({ ...tensor, ...fixedSize, ...fit, multipleOf, sideMax: Type.Optional(side) }),
  output: Type.Object(maskOutput, { ...closed, default: {} }),
})

const upscale = objectOf({
  ...common,
  task: Type.Literal('upscale'),
  scale: Type.Enum([2, 4]),
  input: objectOf({ ...tensor, size: Type.Optional(side), multipleOf }),
  output: Type.Object(upscaleOutput, { ...closed, default: {} }),
  /** Tiles with a margin that is cropped. Pixels of the image. */
  tile: Type.Object(
    { size: Type.Optional(side), overlap: Type.Integer({ minimum: 0, maximum: 512, default: 16 }) },
    { ...closed, default: {} },
  ),
})

const detect = objectOf({
  ...common,
  task: Type.Literal('detect'),
  input: objectOf({ ...tensor, ...fixedSize, ...fit }),
  output: Type.Object(detectOutput, { ...closed, default: {} }),
  /** Names of the classes, in the order of the model. */
  labels,
  /** The classes to return. Default: all. */
  use: labels,
})

export type MaskManifest = Static<typeof mask>
export type UpscaleManifest = Static<typeof upscale>
export type DetectManifest = Static<typeof detect>
export type Manifest = MaskManifest | UpscaleManifest | DetectManifest

export const tasks = ['mask', 'upscale', 'detect'] as const

const checks = { mask: checker(mask), upscale: checker(upscale), detect: checker(detect) }

/** The problems of a manifest. Fills in its defaults. */
export function manifestIssues(value: unknown): Issue[] {
  const task = (value as { task?: unknown } | null)?.task
  if (typeof task !== 'string' || !Object.hasOwn(checks, task)) {
    return [{ path: 'task', message: `must be one of ${tasks.join(', ')}` }]
  }
  const issues = checks[task as keyof typeof checks](value)
  return issues.length > 0 ? issues : [...crossChecks(value as Manifest)]
}

function* crossChecks(manifest: Manifest): Generator<Issue> {
  yield* rangeIssues(manifest.input.range, 'input.range')
  if (manifest.task === 'upscale') {
    yield* rangeIssues(manifest.output.range, 'output.range')
    yield* tileIssues(manifest)
    return
  }
  yield* sizeIssues(manifest)
  if (manifest.task === 'detect') yield* detectIssues(manifest)
}

function* rangeIssues([low = 0, high = 1]: readonly number[] = [], path: string): Generator<Issue> {
  if (low >= high)
    yield { path, message: `must have the value of black before the larger value of white, not ${low}, ${high}` }
}

function* sizeIssues(manifest: MaskManifest | DetectManifest): Generator<Issue> {
  const { size, width, height } = manifest.input
  const [multiple, sideMax] =
    manifest.task === 'mask' ? [manifest.input.multipleOf, manifest.input.sideMax] : [undefined, undefined]
  const ways = [size !== undefined, width !== undefined || height !== undefined, multiple !== undefined]
  if (ways.filter(Boolean).length !== 1) {
    const more = manifest.task === 'mask' ? ', or "multipleOf" with "sideMax" if the model accepts several sizes' : ''
    yield { path: 'input', message: `requires either "size", or "width" and "height"${more}` }
    return
  }
  if ((width === undefined) !== (height === undefined))
    yield { path: 'input', message: 'requires "width" and "height" together' }
  if ((multiple === undefined) !== (sideMax === undefined)) {
    yield { path: 'input', message: 'requires "multipleOf" and "sideMax" together' }
  }
  if (multiple !== undefined && sideMax !== undefined && sideMax < multiple) {
    yield { path: 'input.sideMax', message: `must be at least "multipleOf", ${multiple}, not ${sideMax}` }
  }
  if (multiple !== undefined && manifest.input.fit === 'contain') {
    yield { path: 'input.fit', message: 'must be "stretch" with "multipleOf"' }
  }
}

function* tileIssues({ input: { size, multipleOf: multiple = 1 }, tile }: UpscaleManifest): Generator<Issue> {
  if (size !== undefined && tile.size !== undefined && tile.size !== size) {
    yield { path: 'tile.size', message: `must be "input.size", ${size}, or left out, not ${tile.size}` }
  }
  const tileSide = size ?? tile.size ?? tileSideUsual
  if (tileSide <= 2 * tile.overlap + 8) {
    yield { path: 'tile.overlap', message: `leaves less than 8 pixels of a tile with a side of ${tileSide}` }
  }
  if (tileSide % multiple !== 0) {
    yield { path: 'tile.size', message: `must be a multiple of "input.multipleOf", ${multiple}, not ${tileSide}` }
  }
}

/** The side of a tile, if the manifest has none. */
export const tileSideUsual = 192

function* detectIssues({ output, labels: names, use }: DetectManifest): Generator<Issue> {
  if (output.format === 'separate') {
    for (const name of ['boxes', 'scores'] as const) {
      if (output[name] === undefined) yield { path: `output.${name}`, message: 'is required with "format: separate"' }
    }
  }
  for (const [at, name] of (use ?? []).entries()) {
    if (!names?.includes(name)) yield { path: `use.${at}`, message: 'must be one of "labels"' }
  }
}
