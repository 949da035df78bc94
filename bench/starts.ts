/** The time until the service is ready. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { send } from './client.ts'
import { type Settings, startService, treeCpuMs } from './processes.ts'
import { median } from './statistics.ts'

export interface StartResult {
  /** Medians. */
  empty: { ms: number; cpuMs: number }
  existing: { ms: number; cpuMs: number }
}

const starts = 5

/** Each time on an empty data directory, then once more on the same directory. */
export async function measureStarts(folder: string, settings: Settings = {}): Promise<StartResult> {
  const measured = { empty: [] as Start[], existing: [] as Start[] }
  for (let i = 0; i < starts; i += 1) {
    const dataDir = await mkdtemp(join(folder, 'start-'))
    measured.empty.push(await startOnce(dataDir, settings))
    measured.existing.push(await startOnce(dataDir, settings))
    await rm(dataDir, { recursive: true })
  }
  return { empty: medians(measured.empty), existing: medians(measured.existing) }
}

interface Start {
  ms: number
  cpuMs: number
}

async function startOnce(dataDir: string, settings: Settings): Promise<Start> {
  const service = await startService(dataDir, settings)
  const start = { ms: service.startMs, cpuMs: treeCpuMs(service.pid) }
  await send({ url: `${service.url}/health/ready` })
  await service.stop()
  return start
}

function medians(all: Start[]): Start {
  return { ms: median(all.map(({ ms }) => ms)), cpuMs: median(all.map((each) => each.cpuMs)) }
}
