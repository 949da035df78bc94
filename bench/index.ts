/**
 * Usage: npm run bench [-- --json FILE]
 *
 * Measures the service against bare servers that do the same, in one run and in turns, and prints the ratios: those hold
 * on any machine, the milliseconds only on this one. docs/guide/benchmarks.md says what each row means.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAccount } from './account.ts'
import { closeConnections } from './client.ts'
import { measureExecutions, measureOverhead } from './executions.ts'
import { measureList } from './lists.ts'
import { memoryMiB, startBare, startService } from './processes.ts'
import { type Results, report } from './report.ts'
import { measureStarts } from './starts.ts'

const { json } = parseArgs({ options: { json: { type: 'string' } } }).values
const folder = await mkdtemp(join(tmpdir(), 'tintype-bench-'))
try {
  const results = await measure()
  process.stdout.write(report(results))
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
} finally {
  await closeConnections()
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<Results> {
  const starts = await measureStarts(folder)
  const dataDir = join(folder, 'data')
  const bareFolder = join(folder, 'bare')
  await mkdir(bareFolder)
  const [service, bare] = await Promise.all([startService(dataDir), startBare('./bare-server.ts', bareFolder)])
  try {
    const servers = { service, bare, account: await createAccount(dataDir, service), dataDir, folder }
    const executions = await measureExecutions(servers)
    const memory = { ours: memoryMiB(service.pid), bare: memoryMiB(bare.pid) }
    const overhead = await measureOverhead(servers)
    const list = await measureList(service, dataDir)
    return { starts, executions, memory, overhead, list }
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}
