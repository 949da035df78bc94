/** The time until the service is ready. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { send } from './client.ts'
import { root, type ServerProcess, type Settings, startInstallation, startService, treeCpuMs } from './processes.ts'
import { median } from './statistics.ts'

export interface StartResult {
  /** Medians. */
  empty: { ms: number; cpuMs: number }
  existing: { ms: number; cpuMs: number }
}

const starts = 5

export function measureStarts(folder: string, settings: Settings = {}): Promise<StartResult> {
  return measureInTurns(folder, [(dataDir) => startService(dataDir, settings)]).then(
    ([result]) => result as StartResult,
  )
}

export interface StartComparison extends StartResult {
  installation: string
}

/** This clone and other installations, in turns. The first is this clone. */
export async function compareStarts(folder: string, others: readonly string[]): Promise<StartComparison[]> {
  const installations = [root, ...others]
  // Fills their caches of compiled modules.
  for (const each of installations) await measureInTurns(folder, [(dataDir) => startInstallation(each, dataDir)], 1)
  const results = await measureInTurns(
    folder,
    installations.map((each) => (dataDir: string) => startInstallation(each, dataDir)),
  )
  return results.map((result, i) => ({ installation: installations[i] ?? '', ...result }))
}

type Begin = (dataDir: string) => Promise<ServerProcess>

/** Each time on an empty data directory, then once more on the same directory. */
async function measureInTurns(folder: string, all: readonly Begin[], rounds = starts): Promise<StartResult[]> {
  const measured = all.map(() => ({ empty: [] as Start[], existing: [] as Start[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, begin] of all.entries()) {
      const dataDir = await mkdtemp(join(folder, 'start-'))
      measured[i]?.empty.push(await startOnce(() => begin(dataDir)))
      measured[i]?.existing.push(await startOnce(() => begin(dataDir)))
      await rm(dataDir, { recursive: true })
    }
  }
  return measured.map(({ empty, existing }) => ({ empty: medians(empty), existing: medians(existing) }))
}

interface Start {
  ms: number
  cpuMs: number
}

async function startOnce(begin: () => Promise<ServerProcess>): Promise<Start> {
  const service = await begin()
  const start = { ms: service.startMs, cpuMs: treeCpuMs(service.pid) }
  await send({ url: `${service.url}/health/ready` })
  await service.stop()
  return start
}

function medians(all: Start[]): Start {
  return { ms: median(all.map(({ ms }) => ms)), cpuMs: median(all.map((each) => each.cpuMs)) }
}
