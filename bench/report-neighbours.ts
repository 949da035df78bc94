/** The tables of account B next to account A. */
import { msMax, p95 } from '../test/neighbours/measure.ts'
import type { NeighboursResults, Row } from './neighbours.ts'
import type { Section } from './verdict.ts'

export function neighboursSections(results: NeighboursResults[], section: Section): void {
  const ratios = ['ratio', 'other service', 'reads ratio']
  const heads = ['A', 'alone', 'with A', 'limit', ...ratios, 'health', 'probes', 'MiB', 'attempts', 'limits']
  for (const { engine, rows } of results) {
    section(`B next to A, ${engine}: p95 of executions in ms, and as ratios to B alone`, [heads, ...rows.map(cells)])
    section(`Responses to A, ${engine}`, [['A', 'status'], ...rows.map(({ name, responses }) => [name, responses])])
    for (const row of rows) for (const problem of row.problems) section(`MISSED: ${row.name}: ${problem}`, [])
  }
}

/** `other service`: the ratio of a service that A does not use, at the same time. `health`: the slowest check in ms. */
function cells({ name, alone, withAttack, elsewhere, residentBytesMax, problems, attempts }: Row): string[] {
  const [aloneMs, besideMs] = [p95(alone.executions), p95(withAttack.executions)]
  return [
    name,
    aloneMs.toFixed(0),
    besideMs.toFixed(0),
    msMax(alone.executions).toFixed(0),
    (besideMs / aloneMs).toFixed(1),
    (p95(elsewhere.executions) / aloneMs).toFixed(1),
    (p95(withAttack.reads) / p95(alone.reads)).toFixed(1),
    Math.max(...withAttack.health).toFixed(0),
    String(withAttack.executions.length),
    (residentBytesMax / 1_048_576).toFixed(0),
    String(attempts),
    problems.length === 0 ? 'met' : 'MISSED',
  ]
}
