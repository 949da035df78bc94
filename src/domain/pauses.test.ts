import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elapsedSince, monotonicMs } from './clock.ts'
import { createPauses } from './pauses.ts'

test('work that has kept the event loop for too long waits for the next turn', async () => {
  let others = 0
  const pauseIfDue = createPauses()
  for (let part = 1; part <= 2; part++) {
    setImmediate(() => others++)
    for (const startMs = monotonicMs(); elapsedSince(startMs) < 20; );
    await pauseIfDue()
    assert.equal(others, part)
  }
})

test('short work continues without waiting', async () => {
  let others = 0
  setImmediate(() => others++)
  const startMs = monotonicMs()
  await createPauses()()
  const ran = others
  // On a busy machine this can take longer than a turn.
  if (elapsedSince(startMs) < 10) assert.equal(ran, 0)
})
