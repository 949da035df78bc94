import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWaits } from './waits.ts'

test('each account has its own places, and work that ends or fails gives its place back', async () => {
  const waits = createWaits(1)
  let finish = () => {}
  const first = waits.run('acct_1', () => new Promise<void>((resolve) => (finish = resolve)).then(() => 'first'))
  assert.equal(await waits.run('acct_1', async () => 'second'), undefined)
  assert.equal(await waits.run('acct_2', async () => 'other'), 'other')
  finish()
  assert.equal(await first, 'first')
  await assert.rejects(
    waits.run('acct_1', async () => {
      throw new Error('failed')
    }),
    /failed/,
  )
  assert.equal(await waits.run('acct_1', async () => 'third'), 'third')
})
