/** Account B next to an account A that does its worst: the attacks of test/neighbours, on both engines. */
import { nginxMissing } from '../test/harness/nginx.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { attacks } from '../test/neighbours/attacks/index.ts'
import type { Attack } from '../test/neighbours/load.ts'
import { type Measured, measure, problemsOf } from '../test/neighbours/measure.ts'

export interface NeighboursResults {
  engine: string
  rows: Row[]
}

export interface Row extends Measured {
  /** The limits that B missed, as sentences, in the last attempt. */
  problems: string[]
  attempts: number
}

const repetitions = { probes: 60, secondsMax: 60 }
/** Other work on the machine can only make B slower, so one attempt within the limits is enough. */
const attemptsMax = 3

export async function measureNeighbours(): Promise<NeighboursResults[]> {
  const postgres = await startPostgres()
  try {
    const engines = [
      { engine: 'SQLite', settings: async () => ({}) },
      { engine: 'PostgreSQL', settings: async () => ({ DATABASE_URL: await postgres.newDatabase() }) },
    ]
    const results: NeighboursResults[] = []
    for (const { engine, settings } of engines) {
      const rows: Row[] = []
      for (const attack of attacks) {
        if (attack.behindProxy && nginxMissing) process.stderr.write(`skipped: ${attack.name}: ${nginxMissing}\n`)
        else rows.push(await measureRow(attack, settings))
      }
      results.push({ engine, rows })
    }
    return results
  } finally {
    await postgres.remove()
  }
}

async function measureRow(attack: Attack, settings: () => Promise<Record<string, string>>): Promise<Row> {
  for (let attempts = 1; ; attempts++) {
    const measured = await measure(attack, repetitions, settings)
    const problems = problemsOf(measured)
    if (problems.length === 0 || attempts === attemptsMax) return { ...measured, problems, attempts }
  }
}

/** Whether B missed a limit next to one of the attacks. */
export function isMissed(results: NeighboursResults[]): boolean {
  return results.some(({ rows }) => rows.some(({ problems }) => problems.length > 0))
}
