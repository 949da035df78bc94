import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createDerivedBytes } from './derived-bytes.ts'

const mebibyte = 2 ** 20

/** Files in memory, which can't be evicted for the first five minutes. */
function open(bytesMax: number) {
  const clock = { ms: 1_795_000_000_000, now: () => clock.ms }
  const stored: { accountId: string; bytes: number; usedAt: number }[] = []
  const evictions: string[] = []
  const errors: unknown[] = []
  const state = { error: undefined as Error | undefined, running: 0, runningMost: 0 }
  const derivedBytes = createDerivedBytes({
    bytesMax,
    clock,
    retention: { makeRoom },
    onError: (error) => errors.push(error),
  })
  async function makeRoom(_job: string, accountId: string) {
    state.running += 1
    state.runningMost = Math.max(state.runningMost, state.running)
    evictions.push(accountId)
    await turn()
    state.running -= 1
    if (state.error) throw state.error
    let files = 0
    const excess = () => total(accountId) - bytesMax
    for (const file of stored.filter((each) => each.accountId === accountId)) {
      if (excess() <= 0 || file.usedAt > clock.ms - 300_000) break
      stored.splice(stored.indexOf(file), 1)
      files += 1
    }
    return { rows: files, bytesLeft: total(accountId), blobKeys: [] }
  }
  const total = (accountId: string) =>
    stored.filter((each) => each.accountId === accountId).reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    ...{ derivedBytes, clock, evictions, errors, state, total },
    /** Makes a file unless the account is full, and waits for the check. */
    async make(accountId: string, bytes: number) {
      const isFull = derivedBytes.isFull(accountId)
      if (!isFull) {
        stored.push({ accountId, bytes, usedAt: clock.ms })
        derivedBytes.add(accountId, bytes)
      }
      for (let turns = 0; turns < 4; turns += 1) await turn()
      return !isFull
    },
  }
}

test('an account that makes many bytes is evicted soon, and only after each 64 MiB', async () => {
  const { make, evictions, clock, total } = open(100 * mebibyte)
  for (let count = 0; count < 6; count += 1) {
    await make('a', 32 * mebibyte)
    clock.ms += 300_000
  }
  assert.deepEqual(evictions, ['a', 'a', 'a'])
  assert.ok(total('a') <= (100 + 64) * mebibyte, String(total('a')))
})

test('above twice its limit, an account makes no files until some can be evicted; other accounts do', async () => {
  const { make, evictions, clock, total } = open(1_024 * mebibyte)
  let made = 0
  for (let tries = 0; tries < 200; tries += 1) made += (await make('a', 32 * mebibyte)) ? 1 : 0
  assert.ok(made * 32 <= 2_048 + 64, `${made} files`)
  assert.equal(await make('b', mebibyte), true)
  const { length } = evictions
  assert.equal(await make('a', mebibyte), false)
  assert.equal(evictions.length, length, 'a full account is not checked for each request')
  clock.ms += 300_000
  assert.equal(await make('a', mebibyte), false)
  assert.equal(await make('a', mebibyte), true)
  assert.ok(total('a') <= 1_025 * mebibyte)
  assert.equal(total('b'), mebibyte)
})

test('without any bytes, an account can still make files: they are evicted some minutes later', async () => {
  const { make } = open(0)
  for (let count = 0; count < 8; count += 1) assert.equal(await make('a', 32 * mebibyte), true)
})

test('accounts are checked one after the other, and an error is reported and ends no other check', async () => {
  const { derivedBytes, state, evictions, errors } = open(mebibyte)
  state.error = new Error('lost')
  for (const accountId of ['a', 'b', 'c']) derivedBytes.add(accountId, 100 * mebibyte)
  while (errors.length < 3) await turn()
  assert.deepEqual(evictions, ['a', 'b', 'c'])
  assert.equal(state.runningMost, 1)
  assert.equal(derivedBytes.isFull('a'), false)
})
