/** The benefit of passing pixels on: chains of four operations compared with a PNG between the steps. */
import sharp, { type Sharp } from 'sharp'
import { type Cost, cutOut, execute, inTurns, type Nodes, photograph } from './lab.ts'

export interface ChainResult {
  name: string
  chain: Cost
  encoding: Cost
}

const rounds = 7

/** The chain of the comparison with other libraries: rotate, fit into a frame, blur, adjust; on 2 megapixels. */
const steps: Nodes = {
  turned: { type: 'rotate', inputs: { image: 'source' }, params: { angle: 90 } },
  framed: {
    type: 'resize',
    inputs: { image: 'turned' },
    params: { width: 1200, height: 1200, fit: 'contain', background: 'white' },
  },
  soft: { type: 'blur', inputs: { image: 'framed' }, params: { sigma: 2 } },
  bright: { type: 'adjust', inputs: { image: 'soft' }, params: { brightness: 1.1, saturation: 0.8 } },
}

/** The same operations of the same library, each from PNG to PNG, like a program that stores every step. */
const byHand: ((image: Sharp) => Sharp)[] = [
  (image) => image.rotate(90),
  (image) => image.resize(1200, 1200, { fit: 'contain', background: 'white' }),
  (image) => image.blur(2),
  (image) =>
    image
      .recomb([
        [0.8425, 0.143, 0.0144],
        [0.0425, 0.943, 0.0144],
        [0.0425, 0.143, 0.8144],
      ])
      .linear([1.1, 1.1, 1.1], [0, 0, 0]),
]

export async function measureChains(): Promise<ChainResult[]> {
  const results: ChainResult[] = []
  const sources = { 'an opaque PNG': await photograph(1632, 1224), 'a PNG with alpha': await cutOut(1632, 1224) }
  for (const [name, source] of Object.entries(sources)) {
    const png = await source.png().toBuffer()
    const nodes = { source: { type: 'image', params: { source: 'png' } }, ...steps }
    const { chain, encoding } = await inTurns(
      {
        chain: () => execute(nodes, { node: 'bright', format: 'png' }, { png }),
        encoding: () => stepByStep(png),
      },
      rounds,
    )
    results.push({ name, chain, encoding })
  }
  return results
}

async function stepByStep(png: Buffer): Promise<Buffer> {
  let bytes = png
  for (const step of byHand) bytes = await step(sharp(bytes)).png({ compressionLevel: 6 }).toBuffer()
  return bytes
}

/** Two independent branches compared with one of them; two cores have room for both. */
export async function measureBranches(): Promise<{ one: Cost; two: Cost }> {
  const jpeg = await (await photograph(3264, 2448)).jpeg({ quality: 90 }).toBuffer()
  const branch = (name: string) => ({
    [`${name}-small`]: { type: 'resize', inputs: { image: 'source' }, params: { width: 1600, height: 1200 } },
    [`${name}-clean`]: { type: 'median', inputs: { image: `${name}-small` }, params: { size: 5 } },
  })
  const source = { source: { type: 'image', params: { source: 'jpeg' } } }
  const tile = (from: string) => ({ type: 'resize', inputs: { image: from }, params: { width: 100, height: 75 } })
  const one = { ...source, ...branch('left'), all: tile('left-clean') }
  const two = {
    ...source,
    ...branch('left'),
    ...branch('right'),
    all: { type: 'composite', inputs: { image: 'a', overlay: 'b' } },
    a: tile('left-clean'),
    b: tile('right-clean'),
  }
  const run = (nodes: Nodes) => () => execute(nodes, { node: 'all', format: 'jpeg' }, { jpeg })
  return inTurns({ one: run(one), two: run(two) }, rounds)
}
