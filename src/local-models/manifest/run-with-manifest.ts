/** Runs a model as its manifest describes it, in the process for models. Everything about the model is checked here. */

import type { InferenceSession, Tensor } from 'onnxruntime-common'
import { counted } from '../../../shared/text.ts'
import { limits } from '../../limits.ts'
import type { ModelImage, ModelOutput } from '../define-model.ts'
import { ModelProblem } from '../messages.ts'
import { boxesOf } from './boxes.ts'
import type { Manifest, UpscaleManifest } from './manifest.ts'
import { levelsOf } from './mask-levels.ts'
import { type Floats, floatsOf, inputData, isInputType, planesOf, requireNumbers, shapeText } from './tensor-data.ts'

type Runtime = typeof import('onnxruntime-common')

export async function runWithManifest(
  ort: Runtime,
  session: InferenceSession,
  manifest: Manifest,
  image: ModelImage,
): Promise<ModelOutput> {
  const input = inputOf(session, manifest)
  const { layout } = manifest.input
  const dims = layout === 'NCHW' ? [1, 3, image.height, image.width] : [1, image.height, image.width, 3]
  checkShape(input, dims)
  if (!isInputType(input.type)) {
    throw new ModelProblem(
      `its input "${input.name}" has the type ${input.type}; supported are float32, float16 and uint8`,
    )
  }
  const names = outputNames(session, manifest)
  const tensor = new ort.Tensor(input.type, inputData(image, manifest.input, input.type) as Float32Array, dims)
  const results = await session.run({ [input.name]: tensor }, names)
  const floats = names.map((name) => readOutput(name, results[name]))
  return convert(manifest, image, floats)
}

function convert(manifest: Manifest, image: ModelImage, floats: Floats[]): ModelOutput {
  switch (manifest.task) {
    case 'mask':
      return levelsOf(floats[0] as Floats, manifest)
    case 'upscale':
      return enlargedOf(floats[0] as Floats, manifest, image)
    case 'detect':
      return boxesOf(floats, manifest, image)
  }
}

interface Input {
  name: string
  type: Tensor.Type
  shape: readonly (number | string)[]
}

function inputOf(session: InferenceSession, { input: { name: wanted } }: Manifest): Input {
  const all = session.inputMetadata
  const name = wanted ?? all[0]?.name
  const found = all.find((input) => input.name === name)
  if (found === undefined)
    throw new ModelProblem(`it has no input "${name}". Its inputs: ${listed(all.map((input) => input.name))}`)
  if (all.length > 1) {
    throw new ModelProblem(
      `it has ${counted(all.length, 'input')} (${listed(all.map((input) => input.name))}); only models with one image as their input are supported`,
    )
  }
  if (!found.isTensor) throw new ModelProblem(`its input "${name}" is not a tensor`)
  return { name: found.name, type: found.type, shape: found.shape }
}

/** A name in place of a number accepts any size. */
function checkShape({ name, shape }: Input, dims: readonly number[]): void {
  if (shape.length === 0) return
  const isEqual =
    shape.length === dims.length && shape.every((size, at) => typeof size === 'string' || size < 0 || size === dims[at])
  if (isEqual) return
  throw new ModelProblem(
    `its input "${name}" has the shape ${shapeText(shape)}, which doesn't match ${shapeText(dims)} of the manifest. Check "layout", "size" and "multipleOf"`,
  )
}

function outputNames(session: InferenceSession, { task, output }: Manifest): string[] {
  const known = session.outputNames
  const wanted =
    task === 'detect' && output.format === 'separate'
      ? [output.boxes, output.scores, output.classes].filter((name) => name !== undefined)
      : [output.name ?? known[0] ?? '']
  for (const name of wanted) {
    if (!known.includes(name)) throw new ModelProblem(`it has no output "${name}". Its outputs: ${listed(known)}`)
  }
  return wanted
}

function readOutput(name: string, tensor: unknown): Floats {
  const { dims, type, data } = (tensor ?? {}) as Partial<Tensor>
  if (dims === undefined || data === undefined || type === undefined)
    throw new ModelProblem(`its output "${name}" is not a tensor`)
  const count = dims.reduce((product, size) => product * size, 1)
  if (count > limits.onnxOutputValuesMax) {
    throw new ModelProblem(
      `its output "${name}" has ${count} values (${shapeText(dims)}); the maximum is ${limits.onnxOutputValuesMax}`,
    )
  }
  const floats = floatsOf(data, type)
  if (floats === undefined) throw new ModelProblem(`its output "${name}" has the type ${type}, which is not a number`)
  return { name, dims: [...dims], data: floats }
}

function listed(names: readonly string[]): string {
  return names
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .slice(0, 20)
    .join(', ')
}

/** The enlarged image of a model: from its output to bytes. */
const usualRange = [0, 1]

/** Red, green and blue of each pixel. */
function enlargedOf(
  { name, dims, data }: Floats,
  { input, output, scale }: UpscaleManifest,
  image: ModelImage,
): ModelOutput {
  const layout = output.layout ?? input.layout
  const planes = planesOf(dims, layout)
  const [height, width] = [image.height * scale, image.width * scale]
  if (planes === undefined || planes.channels !== 3 || planes.height !== height || planes.width !== width) {
    const expected = layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3]
    throw new ModelProblem(
      `its output "${name}" has the shape ${shapeText(dims)}; with "scale: ${scale}" and "layout: ${layout}" it must be ${shapeText(expected)}`,
    )
  }
  const [black = 0, white = 1] = output.range ?? input.range ?? usualRange
  const factor = 255 / (white - black)
  const bytes = new Uint8ClampedArray(width * height * 3)
  let isNumber = true
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = input.channels === 'BGR' ? 2 - channel : channel
    for (
      let pixel = 0, from = plane * planes.channelStep;
      pixel < width * height;
      pixel += 1, from += planes.pixelStep
    ) {
      const value = data[from] as number
      if (Number.isNaN(value)) isNumber = false
      bytes[pixel * 3 + channel] = (value - black) * factor
    }
  }
  requireNumbers(isNumber, name)
  return { dims: [height, width, 3], data: new Uint8Array(bytes.buffer) }
}
