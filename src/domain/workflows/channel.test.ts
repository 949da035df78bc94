import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionBefore } from './channel.ts'

/** The versions that a channel has after each move and after each rollback (`-`), as repeated rollbacks find them. */
function versionsOf(steps: readonly (number | '-')[]): (number | undefined)[] {
  const moves: { from: number | null; isRollback: boolean }[] = []
  const versions: (number | undefined)[] = []
  let now: number | null = null
  for (const step of steps) {
    const version: number | undefined = step === '-' ? versionBefore(moves) : step
    versions.push(version)
    if (version === undefined) continue
    moves.unshift({ from: now, isRollback: step === '-' })
    now = version
  }
  return versions
}

test('a rollback goes to the version before the last move, and repeated rollbacks go back further', () => {
  assert.deepEqual(versionsOf([1, 2, 3, '-', '-', '-']), [1, 2, 3, 2, 1, undefined])
})

test('a rollback after a rollback and a new move goes to the version from which that move started', () => {
  assert.deepEqual(versionsOf([1, 2, 3, '-', 4, '-', '-', '-']), [1, 2, 3, 2, 4, 2, 1, undefined])
})

test('a channel that was only created, or was deleted and created again, has no version to go back to', () => {
  assert.equal(versionBefore([]), undefined)
  assert.deepEqual(versionsOf([5, '-']), [5, undefined])
  const again = [
    { from: null, isRollback: false },
    { from: 3, isRollback: false },
  ]
  assert.equal(versionBefore(again), undefined)
})

test('rollbacks of removed moves find no version, rather than a wrong one', () => {
  const undone = [
    { from: 9, isRollback: true },
    { from: 8, isRollback: true },
    { from: 7, isRollback: false },
  ]
  assert.equal(versionBefore(undone), undefined)
})
