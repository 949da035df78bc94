/** Several outputs: nine files of one photo in one execution compared with the nine encodings alone, from pixels in memory. */

import type { EncodeSettings } from '../../src/domain/workflows/output.ts'
import { imageFromBytes, pixelsOf } from '../../src/imaging/raster/image.ts'
import type { ImageValue } from '../../src/imaging/types.ts'
import { Processes } from '../../src/processes/processes.ts'
import { type Cost, execute, imaging, inTurns, photograph } from './lab.ts'

export interface OutputsResult {
  together: Cost
  encodings: Cost
}

const rounds = 15
const widths = [400, 800, 1200, 1600]
const formats = ['avif', 'webp'] as const
const context = {
  signal: new AbortController().signal,
  secondsLeft: () => 60,
  pixelsMax: 1e8,
  processes: new Processes(),
}

/** A photo of 8 megapixels, decoded and reduced to 1600 pixels: a JPEG, and a set with eight files. */
export async function measureOutputs(): Promise<OutputsResult> {
  const jpeg = await (await photograph(3264, 2448)).jpeg({ quality: 90 }).toBuffer()
  const nodes = {
    source: { type: 'image', params: { source: 'jpeg' } },
    small: { type: 'resize', inputs: { image: 'source' }, params: { width: 1600 } },
  }
  const image = await imageFromBytes(await execute(nodes, { node: 'small', format: 'png' }, { jpeg }), context)
  const files: [ImageValue, EncodeSettings][] = [[await decoded(image, 1600), { format: 'jpeg' }]]
  for (const width of widths) {
    const scaled = await decoded(image, width)
    for (const format of formats) files.push([scaled, { format }])
  }
  return inTurns(
    {
      together: () =>
        execute(nodes, { node: 'small', format: 'jpeg' }, { jpeg }, { set: { node: 'small', widths, formats } }),
      encodings: () => Promise.all(files.map(([file, settings]) => imaging.encode(file, settings, context))),
    },
    rounds,
  )
}

/** A copy of the image with its pixels in memory. */
async function decoded(image: ImageValue, width: number): Promise<ImageValue> {
  const scaled = await imaging.scale(image, width, context)
  await pixelsOf(scaled, context)
  return scaled
}
