/** A PostgreSQL server for a test, in a temporary folder and on a free port. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './port.ts'
import { childrenOf, waitUntilEnded } from './proc.ts'
import { until } from './wait.ts'

export interface PostgresServer {
  /** URL of its superuser and the database `postgres`. The same after every start. */
  url: string
  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string>
  start(): Promise<void>
  /** Stops the server in order and closes connections. The next start has everything that was committed. */
  stop(): Promise<void>
  /** SIGKILL to all its processes, like a power cut. */
  kill(): Promise<void>
  /** Stops and starts the server. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

/** PostgreSQL refuses to run as root, the user of tests in a container: then it runs as `postgres`. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const server of running) killAll(server)
})

/** `durable: false` is faster, and sufficient for tests without crashes. */
export async function startPostgres({ durable = true }: { durable?: boolean } = {}): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-postgres-'))
  if (user.uid !== undefined) chownSync(dir, user.uid, user.gid)
  const data = join(dir, 'data')
  const created = ['-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '-N']
  execFileSync(binary('initdb'), created, { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dir}`,
    'max_connections=500',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])]
    const started = spawn(binary('postgres'), args, { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] })
    const lines: string[] = []
    started.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text))
    running.add(started)
    server = started
    await until('PostgreSQL to respond', async () => {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}:\n${lines.join('')}`)
      return (await responds(url)) || undefined
    })
  }
  /** `how`: returns the processes that end with the server. */
  async function end(how: (ending: ChildProcess) => number[]): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined) return
    running.delete(ending)
    if (ending.exitCode !== null || ending.signalCode !== null) return
    // Not `close`: processes that outlive the first one keep its output open.
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    const below = how(ending)
    await ended
    // Until then the next start would fail, because the shared memory is in use.
    await Promise.all(below.map(waitUntilEnded))
  }
  // SIGINT: of the three ways to stop, the only one that neither waits for connections nor needs a recovery at the next
  // start.
  const stop = () =>
    end((ending) => {
      ending.kill('SIGINT')
      return []
    })

  await start()
  return {
    url,
    newDatabase: () => newDatabaseOn(url),
    start,
    stop,
    kill: () => end(killAll),
    async restart() {
      await stop()
      await start()
    },
    async remove() {
      await end(killAll)
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Creates an empty database on a server and returns its URL. `url` is that of a user with the right to do so. */
export async function newDatabaseOn(adminUrl: string): Promise<string> {
  const name = `tintype_${randomBytes(8).toString('hex')}`
  const client = new pg.Client(adminUrl)
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/** Path of a program, from PATH, or the newest release in Debian's folder. */
function binary(name: string): string {
  const root = '/usr/lib/postgresql'
  const releases = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = releases.map((release) => join(root, release, 'bin', name)).find((path) => existsSync(path))
  return found ?? name
}

/** Returns the processes that it killed. */
function killAll({ pid }: ChildProcess): number[] {
  if (pid === undefined) return []
  // It starts no other process while the list is read.
  signal(pid, 'SIGSTOP')
  const all = [pid, ...childrenOf(pid)]
  for (const processId of all) signal(processId, 'SIGKILL')
  return all
}

function signal(processId: number, name: NodeJS.Signals): void {
  try {
    process.kill(processId, name)
  } catch {
    // The process has ended.
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}
