/** Images and contexts for the tests of this folder and its neighbours. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OperationContext } from '../../operations/define.ts'
import { Processes } from '../../processes/processes.ts'
import type { ImageValue, Pixels } from '../types.ts'
import { imageFromPixels } from './image.ts'
import { loadSharp, type Sharp } from './sharp.ts'

/** The processes of a test file. They end with it. */
export const testProcesses = new Processes()

export function contextFor(over: Partial<OperationContext> = {}): OperationContext {
  return {
    signal: new AbortController().signal,
    secondsLeft: () => 30,
    processes: testProcesses,
    pixelsMax: 100_000_000,
    open: () => Promise.reject(new Error('nothing to open here')),
    ...over,
  }
}

/** Pixels from a function of their position, which returns 3 or 4 numbers. */
export function paint(width: number, height: number, at: (x: number, y: number) => number[]): Pixels {
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => at(x, y)).flat())
  const channels = at(0, 0).length === 4 ? 4 : 3
  return { data: Buffer.from(rows.flat()), width, height, channels }
}

export function painted(width: number, height: number, at: (x: number, y: number) => number[]): ImageValue {
  return imageFromPixels(paint(width, height, at))
}

export function pixelAt({ data, width, channels }: Pixels, x: number, y: number): number[] {
  const at = (y * width + x) * channels
  return [...data.subarray(at, at + channels)]
}

/** Compares each pixel of which `expected` returns one. `deepEqual` for each would take most of the time of a test. */
export function assertPixels(pixels: Pixels, expected: (x: number, y: number) => readonly number[] | undefined): void {
  const { data, width, height, channels } = pixels
  let compared = 0
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const pixel = expected(x, y)
    if (pixel === undefined) continue
    compared += 1
    const isEqual =
      pixel.length === channels && pixel.every((value, channel) => data[at * channels + channel] === value)
    if (!isEqual) assert.deepEqual(pixelAt(pixels, x, y), pixel, `at ${x}, ${y}`)
  }
  assert.ok(compared > 0)
}

/** An image that does not compress well, like a photograph. */
export async function noise(width: number, height: number): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
}

/** Calls `use` with the path of a file that has these bytes. */
export async function withFile<T>(bytes: Buffer | string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-test-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
