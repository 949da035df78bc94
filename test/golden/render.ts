/** Renders examples of the catalogue, and encodes pixels as PNGs for this folder. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { checker } from '../../src/domain/validate.ts'
import { toRgba } from '../../src/imaging/raster/channels.ts'
import { imageFromBytes, pixelsOf, sharpOf, sharpOfEncoded, toPixels } from '../../src/imaging/raster/image.ts'
import { framesOf } from '../../src/imaging/raster/read/frames.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import type { ImageValue, Pixels } from '../../src/imaging/types.ts'
import type { Example, Operation, OperationContext } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { fakeModel } from './fake-model.ts'

const samples = new URL('../../examples/samples/', import.meta.url)

export const context: OperationContext = {
  signal: new AbortController().signal,
  secondsLeft: () => 60,
  processes: testProcesses,
  pixelsMax: 10_000_000,
  open: async (source) => ({ bytes: await readFile(new URL(source, samples)) }),
  invokeModel: fakeModel,
}

export interface Golden {
  operation: Operation
  example: Example
  /** Relative to this folder, without extension. */
  name: string
}

/** Examples of every operation with an image as output. */
export function goldens(): Golden[] {
  const operations = [...catalogue.values()].filter(({ outputs }) => outputs.image !== undefined)
  return operations.flatMap((operation) =>
    operation.examples.map((example) => ({
      operation,
      example,
      name: `${operation.id}/${example.name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
    })),
  )
}

export function fileOf(name: string, folder = '.'): URL {
  return new URL(`${folder}/${name}.png`, import.meta.url)
}

/** Runs like the engine: decodes inputs from files, validates params and fills in defaults. An animation becomes a strip. */
export async function render({ operation, example }: Golden): Promise<Pixels> {
  const params = structuredClone(example.params)
  const issues = checker(operation.params)(params)
  if (issues.length > 0) throw new Error(`${operation.id}, "${example.name}": ${JSON.stringify(issues)}`)
  const inputs = await inputsOf(example)
  const { image } = await operation.run(inputs, params, { ...context, wires: wiresOf(operation, example, inputs) })
  if (image === undefined) throw new Error(`${operation.id}, "${example.name}": gave no image`)
  return strip(await Promise.all((await framesOf(image, context)).map((frame) => pixelsOf(frame, context))))
}

/** The frames of an animation, one below the other. */
async function strip(frames: Pixels[]): Promise<Pixels> {
  const [first] = frames
  if (first === undefined || frames.length === 1) return first ?? assert.fail('there are no frames')
  const channels = frames.some((frame) => frame.channels === 4) ? 4 : 3
  const alike = await Promise.all(frames.map((frame) => (frame.channels === channels ? frame : toRgba(frame, context))))
  const data = Buffer.concat(alike.map((frame) => frame.data))
  return { data, width: first.width, height: first.height * frames.length, channels }
}

export async function toPng(pixels: Pixels): Promise<Buffer> {
  return (await sharpOf(pixels)).png({ compressionLevel: 9 }).toBuffer()
}

export async function fromPng(bytes: Buffer): Promise<Pixels> {
  return toPixels(context, await sharpOfEncoded(bytes, 0, context))
}

/** Wires as if each image came from a node with the name of its file, such as `cat` for `cat.jpg`. */
export function wiresOf(
  operation: Operation,
  example: Example,
  inputs: Record<string, unknown>,
): Record<string, string[]> {
  const named = Object.entries(operation.inputs).filter(([, socket]) => socket.named)
  return Object.fromEntries(
    named.map(([name]) => {
      const nodes = [example.inputs?.[name] ?? []].flat().map((file) => file.replace(/\..*/, ''))
      const images = [inputs[name] ?? []].flat()
      return [name, images.map((_, index) => nodes[index] ?? nodes.at(-1) ?? '')]
    }),
  )
}

export async function inputsOf(example: Example): Promise<Parameters<Operation['run']>[0]> {
  const load = async (file: string) => imageFromBytes((await context.open(file)).bytes, context)
  const inputs: Record<string, ImageValue | ImageValue[]> = {}
  for (const [socket, files] of Object.entries(example.inputs ?? {})) {
    inputs[socket] = Array.isArray(files) ? await Promise.all(files.map(load)) : await load(files)
  }
  return inputs as Parameters<Operation['run']>[0]
}
