/** The real service with a separate data directory: one process, or two APIs and two workers (`backing.ts`). */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isMany, newBacking } from './backing.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { endCommands } from './commands.ts'
import { createFirstAccount } from './first-account.ts'
import { sendRequest } from './http.ts'
import { freePort } from './port.ts'
import { firstMatch, inherited, type RunningProcess, startProcess } from './process.ts'
import { until } from './wait.ts'

export interface Service {
  /** `http://127.0.0.1:40123`, without a path. */
  origin: string
  dataDir: string
  /** The data directory of each process: different ones if the run has many processes. */
  machines: string[]
  /** The settings of a command that uses the same data. */
  environment: Record<string, string>
  /** Key of the account of the first start; empty if this start printed none. */
  key: string
  /** The printed command that executes an example; empty if this start printed none. */
  curl: string
  /** Every line of stdout and stderr so far, of all starts on this data directory. */
  lines: string[]
  /** Sends SIGTERM and waits for the end. Returns the first exit code that isn't 0. */
  stop(): Promise<number | null>
  /** Sends a signal and returns immediately. */
  signal(name: NodeJS.Signals): void
  /** SIGKILL to the service and all its children, like a power cut. */
  kill(): Promise<void>
  ended(): Promise<number | null>
  /** The ids of its processes, without their children. */
  processIds(): number[]
  /** A new start on the same data, at the same address. */
  restart(environment?: Record<string, string>): Promise<Service>
  /** The peak of resident memory of a process of the service, in bytes; undefined without /proc. */
  peakResidentBytes(): number | undefined
  /** Stops the service if it runs, and removes its data. */
  remove(): Promise<void>
}

/** Every service of this run, including ended ones, for a final check of their logs. */
export const everyService: Pick<Service, 'lines' | 'dataDir' | 'key'>[] = []

interface Place {
  dataDir: string
  /** Settings of all starts. */
  environment: Record<string, string>
  lines: string[]
  balancer: Balancer | undefined
  drop(): Promise<void>
}

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  return (await newPlace(environment)).start()
}

/** A service with an account and its key, and without the example workflows of a first start. */
export async function startWithoutExamples(environment: Record<string, string> = {}): Promise<Service> {
  const place = await newPlace(environment)
  try {
    const key = await createFirstAccount(place.environment)
    return Object.assign(await place.start(), { key })
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** A place for a service in which no process has run yet. */
export interface NewPlace extends Pick<Service, 'dataDir' | 'environment'> {
  /** Starts the service, which then owns the place and removes it. */
  start(): Promise<Service>
  /** Removes a place in which no service was started. */
  remove(): Promise<void>
}

/** `backing`: instead of the backing of the run, see backing.ts. */
export async function newPlace(environment: Record<string, string> = {}, backing?: string): Promise<NewPlace> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
  const behind = await newBacking(dataDir, backing)
  const balancer = isMany ? await startBalancer() : undefined
  const settings = {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // All tests have the same address.
    WRONG_KEYS_PER_MINUTE_MAX: '1000000',
    SIGN_INS_PER_MINUTE_MAX: '1000000',
    PORT: String(await freePort()),
    ...behind.environment,
  }
  const place = { dataDir, environment: { ...settings, ...environment }, lines: [], balancer, drop: behind.drop }
  return {
    dataDir,
    environment: place.environment,
    async start() {
      const service = await launch(place, {})
      everyService.push(service)
      return service
    },
    remove: () => remove(place),
  }
}

async function remove({ dataDir, balancer, drop }: Place): Promise<void> {
  await endCommands(dataDir)
  await balancer?.close()
  rmSync(dataDir, { recursive: true, force: true })
  await drop()
}

async function launch(place: Place, changes: Record<string, string>): Promise<Service> {
  const { dataDir, lines, balancer } = place
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
    machines: processes.map((part) => part.dataDir),
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
      await Promise.all(all.map((each) => (each.isRunning() ? each.kill() : undefined)))
      await remove(place)
    },
  }
}

interface Part {
  process: RunningProcess
  role: 'api' | 'worker'
  dataDir: string
}

const isApi = ({ role }: Part) => role === 'api'

/** Runs in the data directory, not in the repository, so that it doesn't read an `.env` of the developer. */
function startOne({ dataDir, lines }: Place, environment: Record<string, string>): Part {
  const env = { ...inherited(), ...environment }
  return { role: 'api', dataDir, process: startProcess(['serve'], { cwd: dataDir, env }, lines) }
}

/** Each process has a separate data directory, like on separate machines. */
function startMany({ dataDir, lines }: Place, environment: Record<string, string>, port: number): Part[] {
  // Settings of an `.env` must not be overwritten.
  const publicUrl = existsSync(path.join(dataDir, '.env')) ? {} : { PUBLIC_URL: `http://127.0.0.1:${port}` }
  const start = (role: Part['role'], name: string, ...args: string[]): Part => {
    const machine = path.join(dataDir, name)
    const env = { ...inherited(), ...publicUrl, ...environment, PORT: '0', DATA_DIR: machine }
    return { role, dataDir: machine, process: startProcess(args, { cwd: dataDir, env }, lines) }
  }
  // A test that needs one execution at a time must have one worker.
  const workers = environment.EXECUTIONS_RUNNING_MAX === '1' ? ['worker-1'] : ['worker-1', 'worker-2']
  return [
    ...['api-1', 'api-2'].map((name) => start('api', name, 'serve', '--no-worker')),
    ...workers.map((name) => start('worker', name, 'worker')),
  ]
}

/** The address of the process: the first one that it prints. The second is the one for clients. */
async function readyAt(process: RunningProcess): Promise<string> {
  const origin = await process.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
  await until('a response of /health/ready', async () => {
    const { status } = await sendRequest(origin, '/health/ready', { keepAlive: false }).catch((error: Error) => {
      throw new Error(`${error.message}. The process printed:\n${process.printed().join('\n')}`, { cause: error })
    })
    return status === 200 || undefined
  })
  return origin
}
