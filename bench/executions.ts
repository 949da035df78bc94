/** Executions of example workflows compared with hand-written code, and of a tiny workflow for the cost of the API. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { type Account, applyExamples } from './account.ts'
import type { BareRequest } from './bare-pictures.ts'
import { call, send, upload } from './client.ts'
import { type Comparison, compare, type Side } from './load.ts'
import type { ServerProcess } from './processes.ts'
import { psnr } from './psnr.ts'

export interface Scenario {
  /** An example workflow, and the function of bare-pictures.ts that creates the same image. */
  name: string
  /** Name of a file in examples/pictures. */
  photo: string
  /** The photo is first scaled to this width; undefined: unchanged. */
  width?: number
  parameters: Record<string, string>
}

export const scenarios: Scenario[] = [
  {
    name: 'link-preview-card',
    photo: 'dandelion.jpg',
    parameters: { headline: 'Small things travel far', site: 'example.com' },
  },
  {
    name: 'poster-with-qr',
    photo: 'sunset.jpg',
    width: 4243,
    parameters: {
      title: 'Walk into the evening',
      line: 'Saturdays, 18:00, north car park',
      link: 'https://example.com/walks',
    },
  },
  { name: 'product-square', photo: 'fig.jpg', parameters: { title: 'Red lacquer bowl', price: '€ 48' } },
]

export interface ExecutionResult extends Comparison {
  name: string
  megapixels: number
  clients: number
  /** Similarity of the two images, in decibels. */
  psnr: number
}

const warmUps = 8
const rounds = { one: 28, four: 16 }

export interface Servers {
  service: ServerProcess
  bare: ServerProcess
  account: Account
  dataDir: string
  folder: string
  /** The files that the bare server streams. */
  bareFolder: string
}

export async function measureExecutions(servers: Servers): Promise<ExecutionResult[]> {
  const { account, dataDir, folder } = servers
  const names = scenarios.map(({ name }) => name)
  const workflows = await applyExamples(dataDir, account, names)
  await warmUp(servers)
  const results: ExecutionResult[] = []
  for (const scenario of scenarios) {
    const { path, megapixels } = await photograph(scenario, folder)
    const photo = await upload(`${account.api}/storage/upload`, account.key, await readFile(path), 'photo.jpg')
    const ours = await executor(servers, workflows.get(scenario.name) ?? '', {
      ...scenario.parameters,
      photo: photo.id,
    })
    const bare = bareExecutor(servers, scenario.name, path, scenario.parameters)
    const similarity = await psnr(await send({ url: await ours() }), await send({ url: await bare() }))
    if (similarity < likenessMin)
      throw new Error(
        `${scenario.name}: the two pictures differ (${similarity.toFixed(1)} dB), so nothing can be compared`,
      )
    const sides = { ours: sideOf(servers.service, ours), bare: sideOf(servers.bare, bare) }
    await compare(sides, { clients: 1, rounds: warmUps - 1 })
    for (const clients of [1, 4]) {
      const measured = await compare(sides, { clients, rounds: clients === 1 ? rounds.one : rounds.four })
      results.push({ name: scenario.name, megapixels, clients, psnr: similarity, ...measured })
    }
  }
  return results
}

/** Minimum likeness: below this a viewer would notice a difference. */
const likenessMin = 35

interface PhotographCase {
  /** Name of the uploaded file, with its format. */
  name: string
  megapixels: number
  write(image: Sharp): Sharp
  /** The steps after the photo, the last one of which is called `last`. */
  nodes: Record<string, object>
  /** The function of bare-pictures.ts that makes the same image. */
  bare: string
  parameters?: Record<string, string>
}

const thumbnail = {
  bare: 'thumbnail',
  nodes: {
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 1200, height: 630 } },
    last: { type: 'sharpen', inputs: { image: 'small' } },
  },
}

function toWidth(width: number) {
  const last = { type: 'resize', inputs: { image: 'photo' }, params: { width } }
  return { bare: 'size', nodes: { last }, parameters: { width: String(width) } }
}

const photographCases: PhotographCase[] = [
  { name: 'photo.jpg', megapixels: 8, write: (image) => image.jpeg({ quality: 90 }), ...thumbnail },
  {
    name: 'alpha.png',
    megapixels: 8,
    write: (image) => image.ensureAlpha(0.8).png({ compressionLevel: 6 }),
    ...thumbnail,
  },
  { name: 'photo.webp', megapixels: 8, write: (image) => image.webp({ quality: 85 }), ...thumbnail },
  { name: 'width-800.jpg', megapixels: 4, write: (image) => image.jpeg({ quality: 90 }), ...toWidth(800) },
  { name: 'width-400.jpg', megapixels: 0.5, write: (image) => image.jpeg({ quality: 90 }), ...toWidth(400) },
  { name: 'large.jpg', megapixels: 12, write: (image) => image.jpeg({ quality: 90 }), ...thumbnail },
]

/** Photos of 0.5 to 12 megapixels, each in a chain of steps with one source, compared with one call of sharp. */
export async function measurePhotographs(servers: Servers): Promise<ExecutionResult[]> {
  const { account, folder } = servers
  await warmUp(servers)
  const results: ExecutionResult[] = []
  for (const { name, megapixels, write, nodes, bare: renderer, parameters = {} } of photographCases) {
    const document = {
      name,
      parameters: [{ name: 'photo', type: 'string', required: true }],
      nodes: { photo: { type: 'image', params: { source: '{{ photo }}' } }, ...nodes },
      output: { node: 'last', format: 'webp', quality: 80 },
    }
    const { id } = await call<{ id: string }>({ url: `${account.api}/workflows`, key: account.key, json: document })
    const path = join(folder, `photograph-${name}`)
    const info = await write(await ofSize(original('dandelion.jpg'), megapixels)).toFile(path)
    const photo = await upload(`${account.api}/storage/upload`, account.key, await readFile(path), name)
    const ours = await executor(servers, id, { photo: photo.id })
    const bare = bareExecutor(servers, renderer, path, parameters)
    const similarity = await psnr(await send({ url: await ours() }), await send({ url: await bare() }))
    if (similarity < likenessMin) throw new Error(`${name}: the two pictures differ (${similarity.toFixed(1)} dB)`)
    const sides = { ours: sideOf(servers.service, ours), bare: sideOf(servers.bare, bare) }
    await compare(sides, { clients: 1, rounds: warmUps - 1 })
    for (const clients of [1, 4]) {
      const measured = await compare(sides, { clients, rounds: clients === 1 ? rounds.one : rounds.four })
      results.push({ name, megapixels: (info.width * info.height) / 1e6, clients, psnr: similarity, ...measured })
    }
  }
  return results
}

async function ofSize(photo: string, megapixels: number): Promise<Sharp> {
  const { width, height } = await sharp(photo).metadata()
  return sharp(photo).resize({ width: Math.round(Math.sqrt((megapixels * 1e6 * width) / height)) })
}

/** A canvas of 8 x 8 as PNG, compared with that encode and a file: the rest is the cost of the API. */
export async function measureOverhead(servers: Servers): Promise<(Comparison & { clients: number })[]> {
  const sides = await warmUp(servers)
  const results = []
  for (const clients of [1, 8]) {
    const measured = await compare(sides, { clients, rounds: 16, callsPerTurn: Math.ceil(100 / clients) })
    results.push({ ...measured, clients })
  }
  return results
}

/** Sends requests until the code of both is compiled, as in a service that runs for an hour. */
async function warmUp(servers: Servers): Promise<{ ours: Side; bare: Side }> {
  const { account } = servers
  const document = {
    name: 'Tiny',
    nodes: { canvas: { type: 'canvas', params: { width: 8, height: 8, color: '#404040' } } },
    output: { node: 'canvas', format: 'png' },
  }
  const { id } = await call<{ id: string }>({ url: `${account.api}/workflows`, key: account.key, json: document })
  const ours = await executor(servers, id, {})
  const sides = {
    ours: sideOf(servers.service, ours),
    bare: sideOf(servers.bare, bareExecutor(servers, 'tiny', '', {})),
  }
  await compare(sides, { clients: 4, rounds: 5, callsPerTurn: 50 })
  return sides
}

type Execute = () => Promise<string>

/** Returns the URL of the output. */
async function executor(
  { account }: Servers,
  workflowId: string,
  parameters: Record<string, string>,
): Promise<Execute> {
  return async () => {
    const request = { url: `${account.api}/workflows/execute`, key: account.key, json: { workflowId, parameters } }
    return (await call<{ output: { url: string } }>(request)).output.url
  }
}

function bareExecutor({ bare }: Servers, example: string, photo: string, parameters: Record<string, string>): Execute {
  return async () => {
    const json: BareRequest = { example, photo, parameters }
    return (await call<{ output: { url: string } }>({ url: `${bare.url}/execute`, json })).output.url
  }
}

function sideOf({ pid }: ServerProcess, execute: Execute): Side {
  return { pid, isTree: true, call: async () => void (await execute()) }
}

export async function photograph({ name, photo, width }: Scenario, folder: string) {
  const path = width === undefined ? original(photo) : join(folder, `${name}.jpg`)
  if (width !== undefined) await sharp(original(photo)).resize({ width }).jpeg({ quality: 90 }).toFile(path)
  const size = await sharp(path).metadata()
  return { path, megapixels: (size.width * size.height) / 1e6 }
}

export function original(photo: string): string {
  return fileURLToPath(new URL(`../examples/pictures/${photo}`, import.meta.url))
}
