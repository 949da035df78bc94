import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elapsedSince, monotonicMs } from './clock.ts'
import { createTurns } from './turns.ts'

test('work that has lasted too long waits until other work has had its turn, and only then', async () => {
  let others = 0
  const turns = createTurns()
  const part = async (ms: number) => {
    setImmediate(() => others++)
    for (const startMs = monotonicMs(); elapsedSince(startMs) < ms; );
    await turns.next()
    return others
  }
  assert.equal(await part(20), 1)
  assert.equal(await part(20), 2)
  // As long as a turn isn't over, nothing else runs. On a busy machine it may be over at once.
  const startMs = monotonicMs()
  const ran = await part(0)
  if (elapsedSince(startMs) < 10) assert.equal(ran, 2)
})
