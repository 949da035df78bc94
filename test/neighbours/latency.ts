/** The response times of account B while account A does its worst. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusedConnections } from './attacks/refused-connections.ts'
import { wrongKeys } from './attacks/wrong-keys.ts'
import { measure, problemsOf } from './measure.ts'

/** One quiet attempt is enough: other work on the machine can only make B slower. */
const attemptsMax = 3

export function latencyTests(): void {
  describe('the response times of an account', { concurrency: 1 }, () => {
    for (const attack of [refusedConnections(500), wrongKeys]) {
      test(`stay low next to: ${attack.name}`, async () => {
        let problems: string[] = []
        for (let attempt = 0; attempt < attemptsMax; attempt++) {
          problems = problemsOf(await measure(attack, { probes: 40, secondsMax: 30 }))
          if (problems.length === 0) return
        }
        assert.deepEqual(problems, [])
      })
    }
  })
}
