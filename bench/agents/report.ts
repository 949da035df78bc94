/** The figures of a run as text. */
import { median, percentile } from '../statistics.ts'
import type { Repairs } from './repairs.ts'
import type { Result } from './run.ts'

export interface Figures {
  briefs: number
  solved: number
  calls: { median: number; p95: number; max: number }
  /** The tokens of one answer. */
  tokens: { median: number; p95: number; max: number }
}

export function figuresOf(results: readonly Result[]): Figures {
  return {
    briefs: results.length,
    solved: results.filter(({ problems }) => problems.length === 0).length,
    calls: spread(results.map(({ calls }) => calls)),
    tokens: spread(results.flatMap(({ records }) => records.map(({ tokens }) => tokens))),
  }
}

function spread(values: number[]): { median: number; p95: number; max: number } {
  return { median: median(values), p95: percentile(values, 95), max: percentile(values, 100) }
}

export function reportOf({ briefs, solved, calls, tokens }: Figures): string {
  return [
    `| Figure | Value |`,
    `| --- | --- |`,
    `| Briefs solved | ${solved} of ${briefs} |`,
    `| Calls of tools for a brief: median, 95th percentile, most | ${calls.median}, ${calls.p95}, ${calls.max} |`,
    `| Tokens of an answer: median, 95th percentile, most | ${tokens.median}, ${tokens.p95}, ${tokens.max} |`,
    '',
  ].join('\n')
}

/** The share of faults that are repaired, by kind. */
export function repairsReportOf({ seeded, repaired, kinds }: Omit<Repairs, 'failures'>): string {
  const rows = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `| Fault | Documents | Repaired |`,
    `| --- | --- | --- |`,
    ...rows.map(([kind, each]) => `| ${kind} | ${each.seeded} | ${percent(each)} |`),
    `| all | ${seeded} | ${percent({ seeded, repaired })} |`,
    '',
  ].join('\n')
}

function percent({ seeded, repaired }: { seeded: number; repaired: number }): string {
  return `${((100 * repaired) / seeded).toFixed(1)} %`
}
