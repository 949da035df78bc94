/** A PostgreSQL server of its own for a test, in a scratch folder and on a free port. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './port.ts'
import { until } from './wait.ts'

export interface PostgresServer {
  /** Of its superuser and the database `postgres`. The same after every start. */
  url: string
  /** Makes an empty database. Gives its URL. */
  newDatabase(): Promise<string>
  start(): Promise<void>
  /** In an orderly way, which breaks open connections; a start finds all that was committed. */
  stop(): Promise<void>
  /** SIGKILL to all its processes, as when the machine goes. */
  kill(): Promise<void>
  /** Stops and starts. */
  restart(): Promise<void>
  /** Ends it, and removes its data. */
  remove(): Promise<void>
}

/** PostgreSQL refuses to run as root, as tests in a container do: then it runs as `postgres`. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const server of running) killAll(server)
})

/** `durable: false` is quicker, and enough where no crash is tested. */
export async function startPostgres({ durable = true }: { durable?: boolean } = {}): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-postgres-'))
  if (user.uid !== undefined) chownSync(dir, user.uid, user.gid)
  const data = join(dir, 'data')
  const made = ['-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '-N']
  execFileSync(binary('initdb'), made, { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
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
    await until(
      'PostgreSQL to answer',
      async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}:\n${lines.join('')}`)
        return (await answers(url)) || undefined
      },
      60,
    )
  }
  async function end(how: (ending: ChildProcess) => void): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined) return
    running.delete(ending)
    if (ending.exitCode !== null || ending.signalCode !== null) return
    // Not `close`: processes that outlive the first one hold its output.
    const ended = new Promise((settle) => ending.once('exit', settle))
    how(ending)
    await ended
  }
  // Of its three ways to stop, the one that neither waits for connections nor leaves a recovery to the next start.
  const stop = () => end((ending) => ending.kill('SIGINT'))

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

/** Makes an empty database on a server, by the URL of a user who may. Gives its URL. */
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

async function answers(url: string): Promise<boolean> {
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

/** From PATH, or from where Debian keeps the releases: the newest. */
function binary(name: string): string {
  const root = '/usr/lib/postgresql'
  const releases = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = releases.map((release) => join(root, release, 'bin', name)).find((path) => existsSync(path))
  return found ?? name
}

function killAll(server: ChildProcess): void {
  const { pid } = server
  if (pid === undefined) return
  const children = `/proc/${pid}/task/${pid}/children`
  const below = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ').map(Number) : []
  for (const each of [pid, ...below]) {
    try {
      if (each > 0) process.kill(each, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}
