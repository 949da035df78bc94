import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../errors.ts'
import { createDiskSpace, type FullDisk } from './disk-space.ts'

const mega = 2 ** 20

function setup({ reserveBytes, blocks = 10_000_000 }: { reserveBytes?: number; blocks?: number } = {}) {
  const disks: Record<string, number> = { data: 1_000_000, blobs: 1_000_000 }
  const changes: (FullDisk | undefined)[] = []
  const calls: string[] = []
  let at = 0
  const space = createDiskSpace({
    folders: ['data', 'blobs', 'missing'],
    reserveBytes,
    onChange: (full) => changes.push(full),
    async statfs(folder) {
      calls.push(folder)
      const bavail = disks[folder]
      if (bavail === undefined) throw Object.assign(new Error('missing'), { code: 'ENOENT' })
      return { bavail, blocks, bsize: 4_096 }
    },
    now: () => at,
  })
  const isFull = async () => {
    at += 1_000
    return space.require().then(
      () => false,
      (error) => error instanceof Fault && error.code === 'unavailable' && /nearly full/.test(error.message),
    )
  }
  return { disks, changes, calls, space, isFull }
}

test('each disk below its reserve refuses, until it has room again; both changes are reported once', async () => {
  const { disks, changes, isFull } = setup({ reserveBytes: 50 * mega })
  assert.equal(await isFull(), false)
  disks.blobs = 50 * 256
  assert.equal(await isFull(), false, 'exactly the reserve')
  disks.blobs -= 1
  assert.equal(await isFull(), true)
  assert.equal(await isFull(), true)
  disks.blobs += 1
  disks.data = 0
  assert.equal(await isFull(), true)
  disks.data = 100_000
  assert.equal(await isFull(), false)
  const full = { folder: 'blobs', freeBytes: 50 * mega - 4_096, reserveBytes: 50 * mega }
  assert.deepEqual(changes, [full, undefined])
})

test('the default reserve is 512 MiB, or 5 % of a small disk', async () => {
  const large = setup()
  large.disks.data = 512 * 256
  assert.equal(await large.isFull(), false)
  large.disks.data -= 1
  assert.equal(await large.isFull(), true)
  const small = setup({ blocks: 1_000 })
  small.disks.data = 50
  assert.equal(await small.isFull(), false)
  small.disks.data = 49
  assert.equal(await small.isFull(), true)
})

test('requests of one second share one look at the disks', async () => {
  const { calls, space, isFull, disks } = setup({ reserveBytes: mega })
  await isFull()
  await Promise.all(Array.from({ length: 100 }, () => space.require()))
  assert.equal(calls.length, 3)
  disks.data = 0
  await space.require()
  assert.equal(await isFull(), true)
  assert.equal(calls.length, 6)
})

test('a network share that hangs delays one request, gets one call until it responds, and keeps its last state', async (t) => {
  // The time-out alone doesn't keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(alive))
  const share = { bavail: 0, blocks: 10_000_000, bsize: 4_096 }
  let respond: ((free: number) => void) | undefined
  let calls = 0
  let at = 0
  const space = createDiskSpace({
    folders: ['share'],
    reserveBytes: mega,
    onChange() {},
    statfs() {
      calls += 1
      return new Promise((resolve) => {
        respond = (bavail) => resolve({ ...share, bavail })
      })
    },
    now: () => at,
  })
  const require = () => {
    at += 1_000
    return space.require()
  }
  for (let i = 0; i < 3; i += 1) await require()
  assert.equal(calls, 1)
  respond?.(0)
  await new Promise(setImmediate)
  // This one hangs as well.
  await assert.rejects(require(), Fault)
  await assert.rejects(require(), Fault)
  assert.equal(calls, 2)
  respond?.(1_000)
  await new Promise(setImmediate)
  const asked = require()
  respond?.(1_000)
  await asked
  assert.equal(calls, 3)
})

test('a reserve of 0 never refuses, and looks at no disk', async () => {
  const { calls, disks, isFull } = setup({ reserveBytes: 0 })
  disks.data = 0
  assert.equal(await isFull(), false)
  assert.deepEqual(calls, [])
})
