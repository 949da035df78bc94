/** The cost and the benefit of `quality: auto`, compared with the default quality. */
import { readFile } from 'node:fs/promises'
import { type Cost, execute, inTurns } from './lab.ts'

export interface QualityResult {
  format: string
  auto: Cost
  plain: Cost
  /** Bytes of the file with auto, divided by those with the default. */
  size: number
}

const rounds = 5

/** A photo of 2.7 megapixels, resized to 1200 x 800. */
export async function measureQuality(): Promise<QualityResult[]> {
  const photo = await readFile(new URL('../../examples/pictures/mountain.jpg', import.meta.url))
  const nodes = {
    photo: { type: 'image', params: { source: 'photo' } },
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 1200, height: 800 } },
  }
  const results: QualityResult[] = []
  for (const format of ['jpeg', 'webp', 'avif']) {
    const run = (output: object) => () => execute(nodes, { node: 'small', format, ...output }, { photo })
    const [auto, plain] = [run({ quality: 'auto' }), run({})]
    const size = (await auto()).length / (await plain()).length
    results.push({ format, ...(await inTurns({ auto, plain }, rounds)), size })
  }
  return results
}
