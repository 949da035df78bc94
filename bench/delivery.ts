/** Delivery URLs: a file that exists, against a server that streams a file; and sizes of a photo, against one call of sharp. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { signUrl } from '../src/domain/delivery/signed-url.ts'
import type { BareRequest } from './bare-pictures.ts'
import { call, send, upload } from './client.ts'
import { original, type Servers } from './executions.ts'
import { type Comparison, compare } from './load.ts'
import { psnr } from './psnr.ts'
import { percentile } from './statistics.ts'

export interface DeliveryResults {
  hits: (Comparison & { clients: number; p99Ms: number })[]
  sizes: (Comparison & { clients: number; psnr: number })[]
}

/** Pixels of the first size. Each request asks for another one. */
const firstWidth = 480
const similarityMin = 35

export async function measureDelivery(servers: Servers): Promise<DeliveryResults> {
  const { account, service, bare, folder } = servers
  const { id: keyId, secret } = await call<{ id: string; secret: string }>({
    url: `${account.api}/signing-keys`,
    key: account.key,
    json: {},
  })
  const expires = Math.floor(Date.now() / 1_000) + 86_400
  const urlOf = (file: string, parameters: Record<string, string>) =>
    service.url + signUrl({ path: `/i/${file}`, parameters, expires, keyId }, secret)

  const json = {
    name: 'Card',
    nodes: { card: { type: 'canvas', params: { width: 1_200, height: 630, color: '#404040' } } },
    output: { node: 'card', format: 'webp' },
    delivery: {},
  }
  const { id } = await call<{ id: string }>({ url: `${account.api}/workflows`, key: account.key, json })
  const url = urlOf(`${id}.webp`, {})
  // The same bytes on the other side.
  const name = 'delivered.webp'
  await sharp(await send({ url })).toFile(join(servers.bareFolder, name))
  const latencies: number[] = []
  const hit = async () => {
    const start = performance.now()
    await send({ url })
    latencies.push(performance.now() - start)
  }
  const hitSides = {
    ours: { pid: service.pid, call: hit },
    bare: { pid: bare.pid, call: async () => void (await send({ url: `${bare.url}/${name}` })) },
  }
  await compare(hitSides, { clients: 4, rounds: 2, callsPerTurn: 250 })
  const results: DeliveryResults = { hits: [], sizes: [] }
  for (const clients of [1, 8]) {
    latencies.length = 0
    const measured = await compare(hitSides, { clients, rounds: 8, callsPerTurn: 1_000 / clients })
    results.hits.push({ ...measured, clients, p99Ms: percentile(latencies, 99) })
  }

  const photo = sharp(original('dandelion.jpg'))
  const sizesOf = async (image: Sharp, file: string): Promise<Sizes> => {
    const path = join(folder, file)
    await image.jpeg({ quality: 90 }).toFile(path)
    const { id: imageId } = await upload(`${account.api}/storage/upload`, account.key, await readFile(path), file)
    const widths = { ours: firstWidth, bare: firstWidth }
    return {
      ours: async () => send({ url: urlOf(`${imageId}.webp`, { w: String(widths.ours++) }) }),
      async bare() {
        const body: BareRequest = { example: 'size', photo: path, parameters: { width: String(widths.bare++) } }
        const { output } = await call<{ output: { url: string } }>({ url: `${bare.url}/execute`, json: body })
        return output.url
      },
    }
  }
  const sidesOf = (sizes: Sizes) => ({
    ours: { pid: service.pid, call: async () => void (await sizes.ours()) },
    bare: { pid: bare.pid, call: async () => void (await sizes.bare()) },
  })
  // Until the code of both is compiled, as in a service that runs for an hour.
  const small = await sizesOf(photo.clone().resize({ width: 800 }), 'small-photo.jpg')
  await compare(sidesOf(small), { clients: 4, rounds: 80 })
  const sizes = await sizesOf(photo, 'delivered-photo.jpg')
  const similarity = await psnr(await sizes.ours(), await send({ url: await sizes.bare() }))
  if (similarity < similarityMin) throw new Error(`the two images differ (${similarity.toFixed(1)} dB)`)
  await compare(sidesOf(sizes), { clients: 1, rounds: 4 })
  for (const clients of [1, 4]) {
    const measured = await compare(sidesOf(sizes), { clients, rounds: 80 / clients })
    results.sizes.push({ ...measured, clients, psnr: similarity })
  }
  return results
}

/** The same photo on both sides, in another size with each call. */
interface Sizes {
  ours(): Promise<Buffer>
  /** Returns the URL of the file. */
  bare(): Promise<string>
}
