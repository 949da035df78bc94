/** PostgreSQL, a folder for bytes, one API that executes nothing, and any number of workers. */
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../test/harness/postgres.ts'
import { type Account, createAccount } from '../account.ts'
import {
  type RunningProcess,
  type ServerProcess,
  type Settings,
  startService,
  startWorkerProcess,
} from '../processes.ts'

export interface Cluster {
  api: ServerProcess
  account: Account
  dataDir: string
  /** Settings of every process. */
  settings: Settings
  database: pg.Client
  /** The main process of PostgreSQL. */
  postgresPid: number
  startWorker(settings?: Settings): Promise<RunningProcess>
  stop(): Promise<void>
}

/** PostgreSQL commits to the disk, as by default. */
export async function startCluster(folder: string, more: Settings = {}): Promise<Cluster> {
  const dir = await mkdtemp(join(folder, 'cluster-'))
  const postgres = await startPostgres()
  const url = await postgres.newDatabase()
  const database = new pg.Client(url)
  await database.connect()
  const settings = {
    DATABASE_URL: url,
    STORAGE_URL: `file://${join(dir, 'blobs')}`,
    EXECUTIONS_WAITING_MAX: '1000000',
    ...more,
  }
  const dataDir = join(dir, 'api')
  const api = await startService(dataDir, settings, '--no-worker')
  const account = await createAccount(dataDir, api, settings)
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const workers = new Set<RunningProcess>()
  return {
    api,
    account,
    dataDir,
    settings,
    database,
    postgresPid: parentOf(rows[0]?.pid ?? 0),
    async startWorker(environment = {}) {
      const worker = await startWorkerProcess(await mkdtemp(join(dir, 'worker-')), { ...settings, ...environment })
      workers.add(worker)
      return worker
    },
    async stop() {
      await Promise.all([...workers].map((worker) => worker.kill()))
      await api.stop()
      await database.end()
      await postgres.remove()
    },
  }
}

function parentOf(pid: number): number {
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
