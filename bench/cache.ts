/** The step cache: a repeated execution compared with its first run, and the cost of storing for a first run. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type Account, applyExamples, createAccount } from './account.ts'
import { call, upload } from './client.ts'
import { type Comparison, compare } from './load.ts'
import { type ServerProcess, startService } from './processes.ts'
import { median } from './statistics.ts'

export interface CacheResults {
  again: AgainResult[]
  storing: StoringResult[]
}

/** Medians of milliseconds from request to response. */
export interface AgainResult {
  name: string
  firstMs: number
  againMs: number
  /** Time of an execution with another final text, so that the steps before it come from the cache. */
  changedMs: number | null
}

export interface StoringResult extends Comparison {
  name: string
}

interface Scenario {
  name: string
  parameters: Record<string, string | number>
  /** A parameter that only the last steps use. */
  changes?: string
}

const scenarios: Scenario[] = [
  { name: 'link-preview-card', parameters: { headline: 'Small things travel far' }, changes: 'headline' },
  { name: 'product-square', parameters: { title: 'Red lacquer bowl', price: '€ 48' }, changes: 'price' },
  { name: 'poster-with-qr', parameters: { title: 'Walk into the evening' }, changes: 'title' },
  { name: 'watermark-set', parameters: {} },
  { name: 'contact-sheet', parameters: {} },
  { name: 'product-cut-out', parameters: {} },
  { name: 'responsive-image', parameters: {} },
  { name: 'certificate', parameters: {}, changes: 'name' },
]

/** Each account has a separate cache, so its first run is a real one. */
const accountsPerScenario = 2
const timesAgain = 6
/** Pause before the measured executions: by then all results are stored. */
const settleMs = 400

export async function measureCache(folder: string): Promise<CacheResults> {
  return { again: await measureAgain(join(folder, 'cache')), storing: await measureStoring(folder) }
}

async function measureAgain(dataDir: string): Promise<AgainResult[]> {
  await mkdir(dataDir)
  const service = await startService(dataDir, cacheOn)
  try {
    const times = new Map(scenarios.map(({ name }) => [name, { first: [], again: [], changed: [] } as Times]))
    for (let i = 0; i <= accountsPerScenario; i += 1) {
      const account = await createAccount(dataDir, service)
      const workflows = await applyExamples(dataDir, account, [...times.keys()])
      for (const { name, parameters, changes } of scenarios) {
        const execute = executor(account, workflows.get(name) ?? '')
        const first = await timed(() => execute(parameters))
        await pause(settleMs)
        const again: number[] = []
        for (let n = 0; n < timesAgain; n += 1) again.push(await timed(() => execute(parameters)))
        const changed = changes ? [await timed(() => execute({ ...parameters, [changes]: 'Other words' }))] : []
        const all = times.get(name)
        // The first account warms everything up.
        if (i === 0 || all === undefined) continue
        all.first.push(first)
        all.again.push(...again)
        all.changed.push(...changed)
      }
    }
    return [...times].map(([name, { first, again, changed }]) => ({
      name,
      firstMs: median(first),
      againMs: median(again),
      changedMs: changed.length > 0 ? median(changed) : null,
    }))
  } finally {
    await service.stop()
  }
}

/** New photos on a service with the cache and on one without. */
async function measureStoring(folder: string): Promise<StoringResult[]> {
  const dirs = [join(folder, 'cached'), join(folder, 'uncached')] as const
  await Promise.all(dirs.map((dir) => mkdir(dir)))
  const services = [await startService(dirs[0], cacheOn), await startService(dirs[1])] as const
  try {
    const results: StoringResult[] = []
    for (const { name, photo, parameters } of storing) {
      const photos = await uniquePhotographs(photo)
      const [ours, bare] = await Promise.all([
        newPhotographs(dirs[0], services[0], name, photos, parameters),
        newPhotographs(dirs[1], services[1], name, photos, parameters),
      ])
      const sides = { ours: { pid: services[0].pid, call: ours }, bare: { pid: services[1].pid, call: bare } }
      await compare(sides, { clients: 1, rounds: 4 })
      results.push({ name, ...(await compare(sides, { clients: 1, rounds: photos.length - 4 })) })
    }
    return results
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}

const cacheOn = { CACHE_MAX_BYTES: '' }

const storing = [
  { name: 'link-preview-card', photo: 'dandelion.jpg', parameters: { headline: 'Small things travel far' } },
  { name: 'product-square', photo: 'fig.jpg', parameters: { title: 'Red lacquer bowl', price: '€ 48' } },
]

const photographs = 34

/** The same image in files that differ. */
async function uniquePhotographs(name: string): Promise<Buffer[]> {
  const bytes = await readFile(fileURLToPath(new URL(`../examples/pictures/${name}`, import.meta.url)))
  return Promise.all(
    Array.from({ length: photographs }, (_, n) =>
      sharp(bytes)
        .jpeg({ quality: 90 })
        .withExif({ IFD0: { ImageDescription: `Photograph ${n}` } })
        .toBuffer(),
    ),
  )
}

async function newPhotographs(
  dataDir: string,
  service: ServerProcess,
  name: string,
  photos: Buffer[],
  parameters: Record<string, string>,
): Promise<() => Promise<void>> {
  const account = await createAccount(dataDir, service)
  const workflows = await applyExamples(dataDir, account, [name])
  const execute = executor(account, workflows.get(name) ?? '')
  const ids: string[] = []
  for (const photo of photos) ids.push((await upload(`${account.api}/storage/upload`, account.key, photo, 'a.jpg')).id)
  return () => execute({ ...parameters, photo: ids.shift() ?? '' })
}

interface Times {
  first: number[]
  again: number[]
  changed: number[]
}

function executor({ api, key }: Account, workflowId: string) {
  return async (parameters: Record<string, string | number>): Promise<void> => {
    await call({ url: `${api}/workflows/execute`, key, json: { workflowId, parameters } })
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
