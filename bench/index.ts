/**
 * Usage: npm run bench [-- --json FILE] [-- --only starts,executions,photographs,overhead,previews,delivery,list,cache,workers,console,stage,neighbours,telemetry,chains,branches,credentials,html,long-run,models,operations,outputs,quality]
 *        [-- --trace FILE] [-- --only starts --against FOLDER,FOLDER]
 *
 * Measures the service against bare servers that do the same, in one run and in turns, and prints the ratios: those hold
 * on any machine, the milliseconds only on this one. docs/guide/benchmarks.md says what each row means.
 * Exits with 1 if an account missed its limits next to another account (`neighbours`).
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAccount } from './account.ts'
import { measureCache } from './cache.ts'
import { closeConnections } from './client.ts'
import { measureConsole } from './console/index.ts'
import { measureStage } from './console/stage.ts'
import { measureDelivery } from './delivery.ts'
import { measureExecutions, measureOverhead, measurePhotographs } from './executions.ts'
import { measureList } from './lists.ts'
import { measureLongLists } from './long-lists.ts'
import { isMissed, measureNeighbours } from './neighbours.ts'
import { measurePreviews } from './previews.ts'
import { measureEngine, memoryMiB, startBare, startService } from './processes.ts'
import { engineParts, parts, type Results, report, servedParts } from './report.ts'
import { compareStarts, measureStarts } from './starts.ts'
import { measureTelemetry } from './telemetry.ts'
import { measureWorkerOverTime, measureWorkers } from './workers/index.ts'

const text = { type: 'string' } as const
const { against, json, only, trace } = parseArgs({
  options: { against: text, json: text, only: text, trace: text },
}).values
const selected = parts.filter((part) => only === undefined || only.split(',').includes(part))
const folder = await mkdtemp(join(tmpdir(), 'tintype-bench-'))
try {
  const results = await measure()
  process.stdout.write(report(results))
  if (results.neighbours && isMissed(results.neighbours)) process.exitCode = 1
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
} finally {
  await closeConnections()
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<Results> {
  const results: Results = {}
  if (selected.includes('starts')) results.starts = await measureStarts(folder)
  if (against !== undefined) results.startsAgainst = await compareStarts(folder, against.split(','))
  if (selected.includes('cache')) results.cache = await measureCache(folder)
  if (selected.includes('workers')) results.workers = await measureWorkers(folder)
  if (selected.includes('console')) results.console = await measureConsole(folder, trace)
  if (selected.includes('stage')) results.stage = await measureStage(folder)
  if (selected.includes('neighbours')) results.neighbours = await measureNeighbours()
  if (selected.includes('telemetry')) results.telemetry = await measureTelemetry(folder)
  for (const part of engineParts)
    if (selected.includes(part)) Object.assign(results, { [part]: await measureEngine(part) })
  if (selected.includes('long-run')) results.workerLongRun = await measureWorkerOverTime(folder)
  if (selected.includes('list')) results.longLists = await measureLongLists(folder)
  if (!selected.some((part) => servedParts.includes(part))) return results
  const dataDir = join(folder, 'data')
  const bareFolder = join(folder, 'bare')
  await mkdir(bareFolder)
  const service = await startService(dataDir)
  const bare = await startBare(service, './bare-server.ts', bareFolder)
  try {
    const servers = { service, bare, account: await createAccount(dataDir, service), dataDir, folder, bareFolder }
    if (selected.includes('executions')) {
      results.executions = await measureExecutions(servers)
      results.memory = { ours: memoryMiB(service.pid), bare: memoryMiB(bare.pid) }
    }
    if (selected.includes('photographs')) results.photographs = await measurePhotographs(servers)
    if (selected.includes('overhead')) results.overhead = await measureOverhead(servers)
    if (selected.includes('previews')) results.previews = await measurePreviews(servers)
    if (selected.includes('delivery')) results.delivery = await measureDelivery(servers)
    if (selected.includes('list')) results.list = await measureList(service, dataDir)
    return results
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}
