/** Account B next to an account A that does its worst: the attacks of test/neighbours, on both engines. */
import { startPostgres } from '../test/harness/postgres.ts'
import { attacks } from '../test/neighbours/attacks/index.ts'
import { type Measured, measure } from '../test/neighbours/measure.ts'

export interface NeighboursResults {
  engine: string
  rows: Measured[]
}

const repetitions = { probes: 60, secondsMax: 60 }

export async function measureNeighbours(): Promise<NeighboursResults[]> {
  const postgres = await startPostgres()
  try {
    const engines = [
      { engine: 'SQLite', settings: async () => ({}) },
      { engine: 'PostgreSQL', settings: async () => ({ DATABASE_URL: await postgres.newDatabase() }) },
    ]
    const results: NeighboursResults[] = []
    for (const { engine, settings } of engines) {
      const rows: Measured[] = []
      for (const attack of attacks) rows.push(await measure(attack, repetitions, settings))
      results.push({ engine, rows })
    }
    return results
  } finally {
    await postgres.remove()
  }
}
