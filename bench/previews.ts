/** Live previews of a changing setting at 1200 x 630, from the request to the bytes, compared with the bare work from pixels in memory. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { call, upload } from './client.ts'
import type { Servers } from './executions.ts'
import { median, percentile } from './statistics.ts'

export interface PreviewResult {
  name: string
  quality: 'fast' | 'exact'
  /** Milliseconds of the service: median and 95th percentile. */
  ours: { median: number; p95: number }
  /** Milliseconds of the same work with sharp, in this process. */
  bare: { median: number; p95: number }
}

const [width, height] = [1200, 630]
const warmUps = 10
const rounds = 100

interface PreviewCase {
  name: string
  node(round: number): object
  /** Undefined: only the encoding. */
  bare?(image: Sharp, round: number): Sharp
}

const cases: PreviewCase[] = [
  {
    name: 'text',
    node: (round) => ({
      type: 'text',
      inputs: { image: 'card' },
      params: { text: `Small things travel far, part ${round}`, size: 84, color: '#fff' },
    }),
  },
  {
    name: 'blur',
    node: (round) => ({ type: 'blur', inputs: { image: 'card' }, params: { sigma: 1 + round / 20 } }),
    bare: (image, round) => image.blur(1 + round / 20),
  },
  {
    name: 'crop',
    node: (round) => ({ type: 'crop', inputs: { image: 'card' }, params: { x: round, y: 9, width: 900, height: 600 } }),
    bare: (image, round) => image.extract({ left: round, top: 9, width: 900, height: 600 }),
  },
]

/** Measures both in turns, because a busy machine must affect both. */
export async function measurePreviews({ account }: Servers): Promise<PreviewResult[]> {
  const { api, key } = account
  const bytes = await readFile(fileURLToPath(new URL('../examples/pictures/dandelion.jpg', import.meta.url)))
  const photo = await upload(`${api}/storage/upload`, key, bytes, 'photo.jpg')
  const draft = await call<{ workflowId: string }>({ url: `${api}/workflows/drafts`, key, json: {} })
  const { data, info } = await sharp(bytes).resize(width, height).raw().toBuffer({ resolveWithObject: true })
  const results: PreviewResult[] = []
  for (const { name, node, bare = (image: Sharp) => image } of cases) {
    for (const quality of ['fast', 'exact'] as const) {
      const ours = async (round: number) => {
        const nodes = {
          photo: { type: 'image', params: { source: photo.id } },
          card: { type: 'resize', inputs: { image: 'photo' }, params: { width, height, fit: 'cover' } },
          last: node(round),
        }
        const json = { document: { name, nodes, output: { node: 'last' } }, quality }
        const url = `${api}/workflows/${draft.workflowId}/draft/preview`
        const { image } = await call<{ image: { data: string } }>({ url, key, json })
        return Buffer.from(image.data, 'base64').length
      }
      const encode = (image: Sharp) =>
        quality === 'fast'
          ? image.jpeg({ quality: 80, optimiseCoding: false })
          : image.png({ compressionLevel: 1, adaptiveFiltering: false })
      const byHand = async (round: number) => (await encode(bare(sharp(data, { raw: info }), round)).toBuffer()).length
      const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
      for (let round = 0; round < warmUps + rounds; round += 1) {
        const [own, other] = [await timed(() => ours(round)), await timed(() => byHand(round))]
        if (round < warmUps) continue
        times.ours.push(own)
        times.bare.push(other)
      }
      const of = (all: number[]) => ({ median: median(all), p95: percentile(all, 95) })
      results.push({ name, quality, ours: of(times.ours), bare: of(times.bare) })
    }
  }
  return results
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
