/** A PostgreSQL server of its own for a test, in a scratch folder and on a free port. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from './wait.ts'

export interface PostgresServer {
  /** Of its superuser and the database `postgres`. */
  url: string
  /** Makes an empty database. Gives its URL. */
  newDatabase(): Promise<string>
  /** In an orderly way, open connections or not; `start` again finds all that was committed. */
  stop(): Promise<void>
  start(): Promise<void>
  restart(): Promise<void>
  /** SIGKILL to all its processes, as when the machine goes. */
  kill(): Promise<void>
  /** Ends it, and removes its data. */
  remove(): Promise<void>
}

/** `durable: false` saves the syncs that only a crash of the machine would need. */
export async function startPostgres({ durable = true }: { durable?: boolean } = {}): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-postgres-'))
  const data = join(dir, 'data')
  const port = await freePort()
  if (asPostgres.length > 0) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    chownSync(dir, uid ?? 0, gid ?? 0)
    chmodSync(dir, 0o700)
  }
  run('initdb', '-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dir}`,
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const [command = '', ...args] = [
      ...asPostgres,
      join(binaries(), 'postgres'),
      '-D',
      data,
      ...settings.flatMap((each) => ['-c', each]),
    ]
    const lines: string[] = []
    const started = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: dir, detached: true })
    started.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text))
    server = started
    running.add(started)
    await until('PostgreSQL to answer', async () => {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}:\n${lines.join('')}`)
      return (await answers(url)) || undefined
    })
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined) return
    running.delete(ending)
    const closed = new Promise((settle) => ending.once('close', settle))
    if (ending.exitCode !== null) return
    for (const pid of signal === 'SIGKILL' ? family(ending) : family(ending).slice(-1)) signalTo(pid, signal)
    await closed
  }

  await start()
  return {
    url,
    newDatabase: () => newDatabaseOn(url),
    start,
    // Of the three ways to stop, the one that neither waits for connections nor needs a recovery.
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGINT')
      await start()
    },
    async remove() {
      await end('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
