/** Memory of a worker: over a long run, and with more or fewer concurrent executions. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { applyExamples } from '../account.ts'
import { call, upload } from '../client.ts'
import { memoryMiB, type Settings } from '../processes.ts'
import type { Cluster } from './cluster.ts'

export interface WorkerLongRun {
  executions: number
  /** MiB resident: means from the 400th to the 600th execution, and of the last 200; and the maximum. */
  memory: { early: number; late: number; most: number }
  readings: number[]
}

export interface WorkerMemory {
  settings: Settings
  /** MiB, idle before and maximum. */
  before: number
  most: number
}

const executions = 2_000
const readEvery = 20

/** Two megapixels through six operations to WebP, with a different text each time, two concurrently. */
export async function measureWorkerLongRun(cluster: Cluster): Promise<WorkerLongRun> {
  const { api, key } = cluster.account
  const photo = await photograph(cluster, 'dandelion.jpg', 1632)
  const document = {
    name: 'On and on',
    parameters: [
      { name: 'photo', type: 'string', required: true },
      { name: 'title', type: 'string', required: true },
    ],
    nodes: {
      source: { type: 'image', params: { source: '{{ photo }}' } },
      small: { type: 'resize', inputs: { image: 'source' }, params: { width: 640, height: 480 } },
      bright: { type: 'adjust', inputs: { image: 'small' }, params: { brightness: 1.1 } },
      shade: { type: 'gradient', params: { width: 640, height: 480, from: '#0000', to: '#000c' } },
      shaded: { type: 'composite', inputs: { image: 'bright', overlay: 'shade' } },
      title: { type: 'text', inputs: { image: 'shaded' }, params: { text: '{{ title }}', size: 64, color: 'white' } },
      corners: { type: 'round', inputs: { image: 'title' }, params: { radius: 24 } },
    },
    output: { node: 'corners', format: 'webp' },
  }
  const { id: workflowId } = await call<{ id: string }>({ url: `${api}/workflows`, key, json: document })
  const worker = await cluster.startWorker({ EXECUTIONS_RUNNING_MAX: '2' })
  const readings: number[] = []
  let done = 0
  await together(4, executions, async (n) => {
    const parameters = { photo, title: `Go on ${n}` }
    await call({ url: `${api}/workflows/execute`, key, json: { workflowId, parameters } })
    done += 1
    if (done % readEvery === 0) readings.push(memoryMiB(worker.pid).now)
  })
  await worker.stop()
  const between = (from: number, to: number) => mean(readings.slice(from / readEvery, to / readEvery))
  const memory = { early: between(400, 600), late: between(executions - 200, executions), most: Math.max(...readings) }
  return { executions, memory, readings }
}

const executionsOfEach = 48

/** Eight clients that request a poster of a photo of 12 megapixels. */
export async function measureWorkerMemory(cluster: Cluster): Promise<WorkerMemory[]> {
  const { api, key } = cluster.account
  const name = 'poster-with-qr'
  const workflowId = (await applyExamples(cluster.dataDir, cluster.account, [name], cluster.settings)).get(name)
  const photo = await photograph(cluster, 'sunset.jpg', 4243)
  const results: WorkerMemory[] = []
  for (const settings of memorySettings) {
    const worker = await cluster.startWorker(settings)
    const before = memoryMiB(worker.pid).now
    await together(8, executionsOfEach, async (n) => {
      const parameters = { photo, title: `Walk into the evening ${n}` }
      await call({ url: `${api}/workflows/execute`, key, json: { workflowId, parameters } })
    })
    results.push({ settings, before, most: memoryMiB(worker.pid).peak })
    await worker.stop()
  }
  return results
}

const memorySettings: Settings[] = [
  ...[1, 2, 4, 8].map((atOnce) => ({ EXECUTIONS_RUNNING_MAX: String(atOnce) })),
  { EXECUTIONS_RUNNING_MAX: '8', PIXELS_IN_FLIGHT_MAX: '10000000' },
]

async function photograph({ account: { api, key } }: Cluster, name: string, width: number): Promise<string> {
  const file = fileURLToPath(new URL(`../../examples/pictures/${name}`, import.meta.url))
  const bytes = await sharp(await readFile(file))
    .resize({ width })
    .jpeg({ quality: 90 })
    .toBuffer()
  return (await upload(`${api}/storage/upload`, key, bytes, name)).id
}

/** This number of clients and of calls in total. */
async function together(callers: number, calls: number, one: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < calls) await one(next++)
    }),
  )
}

function mean(values: number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}
