/** Executions per second of one and of two workers on the cores of this machine, and the CPU of other processes meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Account, applyExamples, createAccount } from '../account.ts'
import type { BareRequest } from '../bare-pictures.ts'
import { call } from '../client.ts'
import { cpuMs, machineCpuMs, type RunningProcess, startBare, startService, treeCpuMs } from '../processes.ts'
import { median } from '../statistics.ts'
import type { Cluster } from './cluster.ts'

export interface Throughput {
  name: string
  /** Executions per second: the median of the rounds, and each. */
  perSecond: number
  rounds: number[]
  /** CPU milliseconds of the workers per execution. */
  cpuMs: number
  /** Average cores of each. */
  cores: { workers: number; api: number; postgres: number; load: number; others: number }
}

/** One execution takes about 150 ms of CPU: a photo of 8 megapixels, a shade, two lines of text. */
const example = 'link-preview-card'
const roundsOfEach = 3
const secondsOfRound = 8
const warmUpSeconds = 3
/** Enough that some always wait, few enough that they cost little. */
const callers = 6

interface SetUp {
  name: string
  start(): Promise<{ workers: number[]; execute(): Promise<unknown>; callers: number; stop(): Promise<unknown> }>
}

/** Rates of each of these, in turns. The last two show the speed-up of two processes on this machine. */
export async function measureThroughput(cluster: Cluster, folder: string): Promise<Throughput[]> {
  const workflows = await applyExamples(cluster.dataDir, cluster.account, [example], cluster.settings)
  const execute = executor(cluster.account, workflows.get(example) ?? '')
  const workersOf = (count: number, atOnce: number) => async () => {
    const settings = { EXECUTIONS_RUNNING_MAX: String(atOnce) }
    const workers = await Promise.all(Array.from({ length: count }, () => cluster.startWorker(settings)))
    return { workers: workers.map(({ pid }) => pid), execute, callers, stop: () => stopAll(workers) }
  }
  const alone = (atOnce: number) => async () => {
    const dataDir = `${folder}/alone-${atOnce}-${count++}`
    const service = await startService(dataDir, { EXECUTIONS_RUNNING_MAX: String(atOnce) })
    const account = await createAccount(dataDir, service)
    const ids = await applyExamples(dataDir, account, [example])
    const execute = executor(account, ids.get(example) ?? '')
    return { workers: [service.pid], execute, callers, stop: () => service.stop() }
  }
  const byHand = (count: number) => async () => {
    const servers = await Promise.all(
      Array.from({ length: count }, () => startBare(cluster.api, './bare-server.ts', folder)),
    )
    let next = 0
    const executeOnce = () => {
      const parameters = { headline: headline(), site: 'example.com' }
      const json: BareRequest = { example, photo, parameters }
      return call({ url: `${servers[next++ % count]?.url}/execute`, json })
    }
    return {
      workers: servers.map(({ pid }) => pid),
      execute: executeOnce,
      callers: count,
      stop: () => stopAll(servers),
    }
  }
  const setUps: SetUp[] = [
    { name: 'one worker, one at once', start: workersOf(1, 1) },
    { name: 'two workers, one at once each', start: workersOf(2, 1) },
    { name: 'one worker, two at once', start: workersOf(1, 2) },
    { name: 'one process on SQLite, one at once', start: alone(1) },
    { name: 'one process on SQLite, two at once', start: alone(2) },
    { name: 'by hand, one process', start: byHand(1) },
    { name: 'by hand, two processes', start: byHand(2) },
  ]
  const turns = setUps.map(() => [] as Turn[])
  for (let round = 0; round < roundsOfEach; round += 1) {
    // In reverse order every other time, so that a machine that gets slower affects all.
    for (const i of round % 2 === 0 ? setUps.keys() : [...setUps.keys()].reverse())
      turns[i]?.push(await turn(setUps[i] as SetUp, cluster))
  }
  return setUps.map(({ name }, i) => summed(name, turns[i] ?? []))
}

let count = 0

interface Turn {
  perSecond: number
  done: number
  cores: Throughput['cores']
  seconds: number
}

async function turn({ start }: SetUp, { api, postgresPid }: Cluster): Promise<Turn> {
  const setUp = await start()
  let done = 0
  let going = true
  const caller = async () => {
    while (going) {
      await setUp.execute()
      done += 1
    }
  }
  const all = Promise.all(Array.from({ length: setUp.callers }, caller))
  await pause(warmUpSeconds * 1000)
  const read = () => ({
    done,
    ms: performance.now(),
    workers: setUp.workers.reduce((sum, pid) => sum + cpuMs(pid), 0),
    api: cpuMs(api.pid),
    postgres: treeCpuMs(postgresPid),
    load: cpuMs(process.pid),
    machine: machineCpuMs(),
  })
  const before = read()
  await pause(secondsOfRound * 1000)
  const after = read()
  going = false
  await all
  await setUp.stop()
  const ms = after.ms - before.ms
  const cores = (name: 'workers' | 'api' | 'postgres' | 'load' | 'machine') => (after[name] - before[name]) / ms
  const groups = { workers: cores('workers'), api: cores('api'), postgres: cores('postgres'), load: cores('load') }
  const others = cores('machine') - groups.workers - groups.api - groups.postgres - groups.load
  const finished = after.done - before.done
  return { perSecond: (finished / ms) * 1000, done: finished, seconds: ms / 1000, cores: { ...groups, others } }
}

function summed(name: string, turns: Turn[]): Throughput {
  const seconds = turns.reduce((sum, each) => sum + each.seconds, 0)
  const cores = (of: keyof Throughput['cores']) =>
    turns.reduce((sum, each) => sum + each.cores[of] * each.seconds, 0) / seconds
  const done = turns.reduce((sum, each) => sum + each.done, 0)
  const rounds = turns.map(({ perSecond }) => perSecond)
  return {
    name,
    perSecond: median(rounds),
    rounds,
    cpuMs: (cores('workers') * seconds * 1000) / done,
    cores: {
      workers: cores('workers'),
      api: cores('api'),
      postgres: cores('postgres'),
      load: cores('load'),
      others: cores('others'),
    },
  }
}

const photo = fileURLToPath(new URL('../../examples/pictures/dandelion.jpg', import.meta.url))
let headlines = 0

function headline(): string {
  headlines += 1
  return `Small things travel far, the ${headlines}th`
}

function executor({ api, key }: Account, workflowId: string): () => Promise<unknown> {
  return () =>
    call({ url: `${api}/workflows/execute`, key, json: { workflowId, parameters: { headline: headline() } } })
}

function stopAll(processes: RunningProcess[]): Promise<unknown> {
  return Promise.all(processes.map((each) => each.stop()))
}
