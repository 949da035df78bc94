/** The boxes of a detection model: from its outputs to rows of numbers, without duplicates. */
import { counted } from '../../../shared/text.ts'
import { limits } from '../../limits.ts'
import type { ModelImage, ModelOutput } from '../define-model.ts'
import { ModelProblem } from '../messages.ts'
import type { DetectManifest } from './manifest.ts'
import { type Floats, requireNumbers, shapeText } from './tensor-data.ts'

/** Numbers of each row of the result: left, top, right and bottom in pixels of the input, score, class. */
export const boxNumbers = 6

/** Boxes below it are dropped: no operation accepts a lower score. */
const scoreMin = 0.1

interface Box {
  left: number
  top: number
  right: number
  bottom: number
  score: number
  kind: number
}

/** Sorted by score in descending order: [boxes, 6]. */
export function boxesOf(outputs: readonly Floats[], manifest: DetectManifest, image: ModelImage): ModelOutput {
  const read =
    manifest.output.format === 'rows' ? rowsOf(outputs[0] as Floats, manifest) : separateOf(outputs, manifest)
  const { labels = [], use = labels } = manifest
  const isUsed = labels.length === 0 ? () => true : (kind: number) => use.includes(labels[kind] as string)
  const found: Box[] = []
  const wide = manifest.output.units === 'fraction' ? image.width : 1
  const high = manifest.output.units === 'fraction' ? image.height : 1
  for (let at = 0; at < read.count; at += 1) {
    const { score, kind } = read.best(at)
    requireNumbers(!Number.isNaN(score), read.scoresName)
    if (score < scoreMin || !isUsed(kind)) continue
    const corners = cornersOf(manifest.output.box, read.box(at))
    requireNumbers(!corners.some(Number.isNaN), read.boxesName)
    const [left = 0, top = 0, right = 0, bottom = 0] = corners
    found.push({
      left: left * wide,
      top: top * high,
      right: right * wide,
      bottom: bottom * high,
      score: Math.min(1, score),
      kind,
    })
  }
  const kept = withoutOverlaps(found, manifest.output.nms)
  const data = new Float32Array(kept.length * boxNumbers)
  for (const [at, { left, top, right, bottom, score, kind }] of kept.entries()) {
    data.set([left, top, right, bottom, score, kind], at * boxNumbers)
  }
  return { dims: [kept.length, boxNumbers], data }
}

interface Read {
  count: number
  box(at: number): readonly [number, number, number, number]
  best(at: number): { score: number; kind: number }
  boxesName: string
  scoresName: string
}

/** One tensor with four numbers of the box and its scores for each box. */
function rowsOf({ name, dims, data }: Floats, { output, labels }: DetectManifest): Read {
  const shape = dims.length === 3 && dims[0] === 1 ? dims.slice(1) : dims
  const [first = 0, second = 0] = shape
  const [count, values] = output.transposed ? [second, first] : [first, second]
  const scoresAt = { scores: 4, 'objectness-scores': 5, 'score-class': 4 }[output.values]
  const classes = values - scoresAt
  const expected = output.values === 'score-class' ? 2 : (labels?.length ?? Math.max(1, classes))
  if (shape.length !== 2 || classes !== expected || values > limits.onnxLabelsMax + 5) {
    const rule = labels
      ? `${scoresAt + expected} values for ${counted(labels.length, 'label')}`
      : `at least ${scoresAt + expected} values for each box`
    throw new ModelProblem(
      `its output "${name}" has the shape ${shapeText(dims)}; with "values: ${output.values}" it must have ${rule}. Check "transposed", "values" and "labels"`,
    )
  }
  const valueAt = (at: number, value: number) =>
    data[output.transposed ? value * count + at : at * values + value] as number
  return {
    count,
    boxesName: name,
    scoresName: name,
    box: (at) => [valueAt(at, 0), valueAt(at, 1), valueAt(at, 2), valueAt(at, 3)],
    best(at) {
      if (output.values === 'score-class') return { score: activated(valueAt(at, 4), output), kind: valueAt(at, 5) }
      const { score, kind } = bestOf((kind) => valueAt(at, scoresAt + kind), classes, output)
      return { score: output.values === 'scores' ? score : score * activated(valueAt(at, 4), output), kind }
    },
  }
}

/** A tensor each for boxes, scores and, if the model has it, classes. */
function separateOf([boxes, scores, kinds]: readonly Floats[], { output, labels }: DetectManifest): Read {
  if (boxes === undefined || scores === undefined) throw new Error('there are no outputs')
  const count = boxes.data.length / 4
  const classes = scores.data.length / Math.max(1, count)
  const expected = kinds ? 1 : (labels?.length ?? classes)
  const isShaped = boxes.dims.at(-1) === 4 && Number.isInteger(classes) && (count === 0 || classes === expected)
  if (!isShaped || classes > limits.onnxLabelsMax || (kinds && kinds.data.length !== count)) {
    const all = [boxes, scores, kinds].flatMap((tensor) =>
      tensor ? `"${tensor.name}": ${shapeText(tensor.dims)}` : [],
    )
    throw new ModelProblem(
      `its outputs have the shapes ${all.join(', ')}; expected are 1xNx4 for boxes, 1xN${expected > 1 ? `x${expected}` : ''} for scores and 1xN for classes. Check "labels"`,
    )
  }
  return {
    count,
    boxesName: boxes.name,
    scoresName: scores.name,
    box: (at) => [0, 1, 2, 3].map((value) => boxes.data[at * 4 + value]) as [number, number, number, number],
    best(at) {
      if (kinds) return { score: activated(scores.data[at] as number, output), kind: kinds.data[at] as number }
      return bestOf((kind) => scores.data[at * classes + kind] as number, classes, output)
    },
  }
}

type Output = DetectManifest['output']

function bestOf(scoreOf: (kind: number) => number, classes: number, output: Output): { score: number; kind: number } {
  let kind = 0
  for (let other = 1; other < classes; other += 1) {
    // NaN is never larger, so it must win to be reported.
    if (scoreOf(other) > scoreOf(kind) || Number.isNaN(scoreOf(other))) kind = other
  }
  const value = scoreOf(kind)
  if (output.activation !== 'softmax') return { score: activated(value, output), kind }
  let sum = 0
  for (let other = 0; other < classes; other += 1) sum += Math.exp(scoreOf(other) - value)
  return { score: 1 / sum, kind }
}

function activated(value: number, { activation }: Output): number {
  return activation === 'sigmoid' ? 1 / (1 + Math.exp(-value)) : value
}

function cornersOf(form: Output['box'], [a, b, c, d]: readonly [number, number, number, number]): number[] {
  switch (form) {
    case 'xyxy':
      return [a, b, c, d]
    case 'yxyx':
      return [b, a, d, c]
    case 'xywh':
      return [a, b, a + c, b + d]
    case 'cxcywh':
      return [a - c / 2, b - d / 2, a + c / 2, b + d / 2]
  }
}

/** Non-maximum suppression for each class, of the boxes with the highest scores. */
function withoutOverlaps(boxes: Box[], overlapMax: number): Box[] {
  const candidates = boxes.sort((a, b) => b.score - a.score).slice(0, limits.onnxCandidatesMax)
  const kept: Box[] = []
  for (const box of candidates) {
    if (kept.length === limits.onnxBoxesMax) break
    if (kept.every((other) => other.kind !== box.kind || overlap(box, other) <= overlapMax)) kept.push(box)
  }
  return kept
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  const shared = Math.max(0, wide) * Math.max(0, high)
  return shared / (area(a) + area(b) - shared)
}

function area({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}
