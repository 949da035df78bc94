/**
 * An S3 server for tests: Ceph's gateway (Debian: radosgw, ceph-mon, ceph-osd) on one monitor and one store in memory. It
 * listens only on this machine, on free ports, so several can run at the same time.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './port.ts'
import { until as poll } from './wait.ts'

const run = promisify(execFile)

export interface S3Server {
  endpoint: string
  /** A STORAGE_URL with a bucket. */
  url: string
  /** Environment variables that a service needs in addition to the URL. */
  environment: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** The URL of a new bucket. */
  newBucket(): Promise<string>
  /** Stops the gateway, and starts it at the same address with the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  // Short: the path of a socket has at most 107 characters.
  const dir = mkdtempSync(path.join(tmpdir(), 's3-'))
  const children: ChildProcess[] = []
  const [monitorPort, port] = await Promise.all([freePort(), freePort()])
  const environment = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: randomBytes(12).toString('hex') }
  const endpoint = `http://127.0.0.1:${port}`
  const ceph = await writeSettings(dir, monitorPort, port)

  function start(program: string, ...words: string[]): ChildProcess {
    const log = openSync(path.join(dir, `${program}.out`), 'a')
    const child = spawn(program, [...ceph, ...words, '-f'], { stdio: ['ignore', log, log] })
    children.push(child)
    return child
  }
  const startGateway = async () => {
    const child = start('radosgw', '-n', 'client.rgw')
    await until(child, dir, async () => (await fetch(endpoint)).status < 500)
    return child
  }
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL')
  }

  process.once('exit', killAll)
  async function stop() {
    // Nothing is kept, so nothing needs an orderly stop.
    await Promise.all(children.map((child) => end(child, 'SIGKILL')))
    process.removeListener('exit', killAll)
    rmSync(dir, { recursive: true, force: true })
  }

  try {
    const monitor = start('ceph-mon', '-i', 'a')
    await until(monitor, dir, () => run('ceph', [...ceph, 'mon', 'stat'], { timeout: 5_000 }))
    const storeId = randomUUID()
    await run('ceph', [...ceph, 'osd', 'new', storeId])
    await run('ceph-osd', [...ceph, '-i', '0', '--mkfs', '--osd-uuid', storeId])
    await run('ceph', [...ceph, 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=h'])
    const store = start('ceph-osd', '-i', '0')
    await until(store, dir, async () => (await run('ceph', [...ceph, 'osd', 'stat'])).stdout.includes('1 up'))
    await run('radosgw-admin', [
      ...[...ceph, '-n', 'client.rgw', 'user', 'create', '--uid=t', '--display-name=t'],
      ...[`--access-key=${environment.AWS_ACCESS_KEY_ID}`, `--secret-key=${environment.AWS_SECRET_ACCESS_KEY}`],
    ])
    let gateway = await startGateway()

    const credentials = {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
    }
    const newBucket = async () => {
      const bucket = `bucket-${randomUUID()}`
      const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
      client.destroy()
      return `s3://${bucket}?endpoint=${endpoint}`
    }
    return {
      endpoint,
      url: await newBucket(),
      environment,
      newBucket,
      async restart() {
        await end(gateway, 'SIGTERM')
        gateway = await startGateway()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Writes the configuration and the initial state of the monitor. Returns the arguments with which each program uses it. */
async function writeSettings(dir: string, monitorPort: number, port: number): Promise<string[]> {
  for (const each of ['mon', 'osd', 'rgw', 'run']) mkdirSync(path.join(dir, each))
  const file = path.join(dir, 'ceph.conf')
  const id = randomUUID()
  const monitor = `v1:127.0.0.1:${monitorPort}`
  writeFileSync(
    file,
    `[global]
fsid = ${id}
mon host = ${monitor}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
auth allow insecure global id reclaim = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
ms bind msgr2 = false
keyring = ${dir}/keyring
run dir = ${dir}/run
admin socket = ${dir}/run/$name.asok
log file = ${dir}/run/$name.log
pid file = ${dir}/run/$name.pid
[mon.a]
mon data = ${dir}/mon
mon addr = ${monitor}
[osd]
osd objectstore = memstore
osd crush update on start = false
osd class update on start = false
osd class load list = *
memstore device bytes = 2147483648
osd data = ${dir}/osd
[client.rgw]
rgw data = ${dir}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 32
keyring = /dev/null
`,
  )
  const ceph = ['-c', file]
  const keyring = path.join(dir, 'keyring')
  const map = path.join(dir, 'monmap')
  await run('monmaptool', ['--create', '--fsid', id, '--addv', 'a', `[${monitor}]`, map])
  await run('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'])
  await run('ceph-mon', [...ceph, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring])
  return ceph
}

/** Waits until the gateway responds. If it ends, or takes more than a minute, throws an error with the end of its output. */
async function until(child: ChildProcess, dir: string, responses: () => Promise<unknown>): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const answered = () => responses().catch(() => false)
  const isUp = await poll(child.spawnfile, async () => (hasEnded() ? false : Boolean(await answered()) || undefined))
  if (isUp) return
  const output = readFileSync(path.join(dir, `${path.basename(child.spawnfile)}.out`), 'utf8')
  throw new Error(`${child.spawnfile} does not respond:\n${output.slice(-2_000)}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}
