/** The table of ratios. */
import { availableParallelism, cpus } from 'node:os'
import type { ExecutionResult } from './executions.ts'
import { workflowCount } from './lists.ts'
import type { Comparison } from './load.ts'
import type { StartResult } from './starts.ts'

type Memory = { now: number; peak: number }

/** What can be measured by itself. */
export const parts = ['starts', 'executions', 'overhead', 'list'] as const

export interface Results {
  starts?: StartResult
  executions?: ExecutionResult[]
  /** MiB, after the executions. */
  memory?: { ours: Memory; bare: Memory }
  overhead?: (Comparison & { clients: number })[]
  list?: (Comparison & { clients: number })[]
}

/** What is to be reached. */
const goals = {
  /** CPU per execution, ours by bare, on photographs of so many megapixels and more. */
  cpuRatio: 1.1,
  megapixelsMin: 4,
  /** CPU of the API itself per request. */
  overheadMs: 3,
  startMs: 2_000,
}

export function report({ starts, executions, memory, overhead, list }: Results): string {
  const lines = [`Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`]
  const section = (title: string, rows: string[][]) => lines.push('', title, ...table(rows))
  if (executions) {
    section('Executions against the same picture made by hand with sharp in a node:http server', [
      [...heads('workflow', 'megapixels'), 'alike', 'goal'],
      ...executions.map((each) => [
        each.name,
        each.megapixels.toFixed(1),
        ...cells(each),
        `${each.psnr.toFixed(0)} dB`,
        each.megapixels < goals.megapixelsMin ? '' : verdict(each.ours.cpuMs / each.bare.cpuMs, goals.cpuRatio),
      ]),
    ])
  }
  if (memory) {
    const { ours, bare } = memory
    section('Memory after these executions, MiB', [
      ['', 'service', 'bare'],
      ['resident', String(ours.now), String(bare.now)],
      ['most ever', String(ours.peak), String(bare.peak)],
    ])
  }
  if (overhead) {
    section('The API itself: an 8 x 8 canvas as PNG against nothing but its encode and a file', [
      [...heads(), 'API, CPU ms', 'goal'],
      ...overhead.map((each) => {
        const own = each.ours.cpuMs - each.bare.cpuMs
        return [...cells(each), own.toFixed(2), verdict(own, goals.overheadMs)]
      }),
    ])
  }
  if (list) {
    const title = `GET /workflows?limit=20 of ${workflowCount} against a bare Fastify route with the same SQL`
    section(title, [heads(), ...list.map(cells)])
  }
  if (starts) {
    section('Start, from the process to ready', [
      ['data directory', 'ms', 'CPU ms', 'goal'],
      ['empty', ...start(starts.empty)],
      ['existing', ...start(starts.existing)],
    ])
  }
  return [...lines, '', ''].join('\n')
}

function heads(...first: string[]): string[] {
  return [...first, 'clients', 'CPU ratio', 'quarters', 'CPU ms', 'bare', 'latency ratio', 'median ms', 'bare']
}

function cells({ clients, ours, bare, cpuRatios }: Comparison & { clients: number }): string[] {
  const decimals = bare.cpuMs < 10 ? 2 : 0
  return [
    String(clients),
    (ours.cpuMs / bare.cpuMs).toFixed(2),
    `${Math.min(...cpuRatios).toFixed(2)}-${Math.max(...cpuRatios).toFixed(2)}`,
    ours.cpuMs.toFixed(decimals),
    bare.cpuMs.toFixed(decimals),
    (ours.latencyMs / bare.latencyMs).toFixed(2),
    ours.latencyMs.toFixed(decimals),
    bare.latencyMs.toFixed(decimals),
  ]
}

function start({ ms, cpuMs }: { ms: number; cpuMs: number }): string[] {
  return [ms.toFixed(0), cpuMs.toFixed(0), verdict(ms, goals.startMs)]
}

function verdict(value: number, goal: number): string {
  return `<= ${goal}: ${value <= goal ? 'met' : 'MISSED'}`
}

/** Columns as wide as they need, the first to the left, the others to the right. */
function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => {
    const texts = row.map((text, column) =>
      column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    )
    return `  ${texts.join('  ').trimEnd()}`
  })
}
