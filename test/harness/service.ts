/** The real service, on a data directory of its own: one process, or two APIs and two workers (`backing.ts`). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isMany, newBacking } from './backing.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { endCommands } from './commands.ts'
import { ask } from './http.ts'
import { freePort } from './port.ts'
import { firstMatch, inherited, type RunningProcess, startProcess } from './process.ts'
import { until } from './wait.ts'

export interface Service {
  /** `http://127.0.0.1:40123`, without a path. */
  origin: string
  dataDir: string
  /** The settings that a command beside it needs. */
  environment: Record<string, string>
  /** Of the account made at the first start; empty when this start printed none. */
  key: string
  /** The printed command that executes an example; empty when this start printed none. */
  curl: string
  /** Every line of stdout and stderr so far, of all starts on this data directory. */
  lines: string[]
  /** Sends SIGTERM and waits for the end. Gives the exit code: the first that is not 0. */
  stop(): Promise<number | null>
  /** Sends a signal and returns at once. */
  signal(name: NodeJS.Signals): void
  /** SIGKILL to the service and all its children, as when the machine goes. */
  kill(): Promise<void>
  ended(): Promise<number | null>
  /** The ids of its processes, without those that they have started. */
  processIds(): number[]
  /** A new start on the same data, at the same address. */
  restart(environment?: Record<string, string>): Promise<Service>
  /** The most memory that a process of the service ever had resident, in bytes; undefined where there is no /proc. */
  peakResidentBytes(): number | undefined
  /** Ends it if it runs, and removes its data. */
  remove(): Promise<void>
}

/** Every service of this run, also those that were ended: for a last look at what they wrote. */
export const everyService: Pick<Service, 'lines' | 'dataDir' | 'key'>[] = []

interface Place {
  dataDir: string
  /** Of all starts. */
  environment: Record<string, string>
  lines: string[]
  balancer: Balancer | undefined
  drop(): Promise<void>
}

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  return (await newPlace(environment)).start()
}

/** Where a service can start, and no process has run yet. */
export interface NewPlace extends Pick<Service, 'dataDir' | 'environment'> {
  /** It is the service's from here: to be removed with it. */
  start(): Promise<Service>
}

/** `backing`: another than that of the run, see backing.ts. */
export async function newPlace(environment: Record<string, string> = {}, backing?: string): Promise<NewPlace> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
  const behind = await newBacking(dataDir, backing)
  const balancer = isMany ? await startBalancer() : undefined
  const own = {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // All tests have one address.
    WRONG_KEYS_PER_MINUTE_MAX: '1000000',
    SIGN_INS_PER_MINUTE_MAX: '1000000',
    PORT: String(await freePort()),
    ...behind.environment,
  }
  const place = { dataDir, environment: { ...own, ...environment }, lines: [], balancer, drop: behind.drop }
  return {
    dataDir,
    environment: place.environment,
    async start() {
      const service = await launch(place, {})
      everyService.push(service)
      return service
    },
  }
}

async function launch(place: Place, changes: Record<string, string>): Promise<Service> {
  const { dataDir, lines, balancer, drop } = place
  const environment = { ...place.environment, ...changes }
  const processes = balancer ? startMany(place, environment, balancer.port) : [startOne(place, environment)]
  let origin: string
  try {
    const origins = await Promise.all(processes.filter(isApi).map(({ process }) => readyAt(process)))
    balancer?.setTargets(origins.map((each) => Number(new URL(each).port)))
    origin = balancer ? `http://127.0.0.1:${balancer.port}` : (origins[0] ?? '')
  } catch (error) {
    await Promise.all(processes.map(({ process }) => process.kill()))
    throw error
  }
  const all = processes.map(({ process }) => process)
  const ended = () =>
    Promise.all(all.map((each) => each.ended())).then((codes) => codes.find((code) => code !== 0) ?? 0)
  const signal = (name: NodeJS.Signals): void => {
    for (const each of all) each.signal(name)
  }
  const printed = all.flatMap((each) => each.printed())
  return {
    origin,
    dataDir,
    environment,
    key: firstMatch(printed, /tt_live_[0-9A-Za-z]+/) ?? '',
    curl: printed.find((line) => line.startsWith('curl ')) ?? '',
    lines,
    ended,
    processIds: () => all.flatMap(({ pid }) => pid ?? []),
    signal,
    stop() {
      signal('SIGTERM')
      return ended()
    },
    async kill() {
      await Promise.all(all.map((each) => each.kill()))
    },
    restart: (more = {}) => launch(place, { ...(balancer ? {} : { PORT: new URL(origin).port }), ...changes, ...more }),
    peakResidentBytes() {
      const sizes = all.map((each) => each.peakResidentBytes() ?? 0)
      return Math.max(...sizes) || undefined
    },
    async remove() {
      await Promise.all([endCommands(dataDir), ...all.map((each) => (each.isRunning() ? each.kill() : undefined))])
      await balancer?.close()
      rmSync(dataDir, { recursive: true, force: true })
      await drop()
    },
  }
}

interface Part {
  process: RunningProcess
  role: 'api' | 'worker'
}

const isApi = ({ role }: Part) => role === 'api'

/** Run from the data directory, not from the repository: an `.env` of whoever tests must not be read. */
function startOne({ dataDir, lines }: Place, environment: Record<string, string>): Part {
  const env = { ...inherited(), ...environment }
  return { role: 'api', process: startProcess(['serve'], { cwd: dataDir, env }, lines) }
}

/** Each with a data directory of its own, as on machines of their own. */
function startMany({ dataDir, lines }: Place, environment: Record<string, string>, port: number): Part[] {
  // What an `.env` says must not be overruled.
  const publicUrl = existsSync(path.join(dataDir, '.env')) ? {} : { PUBLIC_URL: `http://127.0.0.1:${port}` }
  const start = (role: Part['role'], name: string, ...args: string[]): Part => {
    const env = { ...inherited(), ...publicUrl, ...environment, PORT: '0', DATA_DIR: path.join(dataDir, name) }
    return { role, process: startProcess(args, { cwd: dataDir, env }, lines) }
  }
  // A test that wants one execution at a time has to have one worker.
  const workers = environment.EXECUTIONS_RUNNING_MAX === '1' ? ['worker-1'] : ['worker-1', 'worker-2']
  return [
    ...['api-1', 'api-2'].map((name) => start('api', name, 'serve', '--no-worker')),
    ...workers.map((name) => start('worker', name, 'worker')),
  ]
}

/** Where it answers: the first address that it tells is its own, before the one that clients are to use. */
async function readyAt(process: RunningProcess): Promise<string> {
  const origin = await process.told(/http:\/\/127\.0\.0\.1:\d+/)
  await until('an answer of /health/ready', async () => {
    const { status } = await ask(origin, '/health/ready', { keepAlive: false })
    return status === 200 || undefined
  })
  return origin
}
