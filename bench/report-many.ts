/** The tables of many processes and many rows. */
import { availableParallelism } from 'node:os'
import { type LongListResult, longListRows, type SizesCompared } from './long-lists.ts'
import { median, percentile } from './statistics.ts'
import { atLeast, atMost, memoryRow, type Section } from './verdict.ts'
import type { WorkersResults } from './workers/index.ts'
import type { WorkerLongRun } from './workers/memory.ts'
import type { Throughput } from './workers/throughput.ts'

/** Targets. */
const goals = {
  /** Executions per second of two workers divided by those of one. */
  secondWorker: 1.85,
  /** Time until another worker takes over the executions of a lost one. */
  takeOverSeconds: 15,
  cancelMs: 2_000,
  /** The p95 of a page of a million rows divided by that of a thousand. */
  longList: 2,
}

export function workersSections(results: WorkersResults, section: Section): void {
  const { throughput, startLatency, takeOvers, cancellations, posts, memory } = results
  if (throughput) throughputSections(throughput, section)
  if (startLatency) {
    section('From a request to the start of its execution, with nothing before it', [
      ['', 'started, p50 ms', 'p95', 'answered, p50 ms', 'p95'],
      ...startLatency.map(({ name, started, answered }) => [
        name,
        String(started.p50),
        String(started.p95),
        answered.p50.toFixed(1),
        answered.p95.toFixed(1),
      ]),
    ])
  }
  if (takeOvers) {
    const { started } = takeOvers
    section('From SIGKILL of a worker to the next attempt of what it ran', [
      ['times', 'least s', 'median', 'most', 'goal'],
      [String(started.length), ...leastToMost(started, 1), atMost(Math.max(...started), goals.takeOverSeconds)],
    ])
  }
  if (cancellations) {
    const { answered, stopped } = cancellations
    section('From the request to cancel what runs in another process', [
      ['', 'p50 ms', 'most', 'goal'],
      ['to its answer', median(answered).toFixed(1), Math.max(...answered).toFixed(1), ''],
      [
        'to the end of the work',
        median(stopped).toFixed(1),
        Math.max(...stopped).toFixed(1),
        atMost(Math.max(...stopped), goals.cancelMs),
      ],
    ])
  }
  if (posts) {
    section('Executions that one API accepts without a worker', [
      ['clients', 'a second', 'p50 ms', 'p95', 'API, CPU ms', 'PostgreSQL'],
      ...posts.map(({ clients, perSecond, ms, cpuMs }) => [
        String(clients),
        perSecond.toFixed(0),
        ms.p50.toFixed(1),
        ms.p95.toFixed(1),
        cpuMs.api.toFixed(2),
        cpuMs.postgres.toFixed(2),
      ]),
    ])
  }
  if (memory) {
    section('Memory of a worker, MiB, with eight clients that ask for posters of a photograph of 12 megapixels', [
      ['settings', 'before', 'most ever'],
      ...memory.map(({ settings, before, most }) => [
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
        String(before),
        String(most),
      ]),
    ])
  }
}

function throughputSections(all: Throughput[], section: Section): void {
  section(`Executions in a second on ${availableParallelism()} cores, and the cores that each took`, [
    ['', 'a second', 'rounds', 'CPU ms', 'workers', 'API', 'PostgreSQL', 'callers', 'others'],
    ...all.map(({ name, perSecond, rounds, cpuMs, cores }) => [
      name,
      perSecond.toFixed(2),
      `${Math.min(...rounds).toFixed(2)}-${Math.max(...rounds).toFixed(2)}`,
      cpuMs.toFixed(0),
      ...[cores.workers, cores.api, cores.postgres, cores.load, cores.others].map((share) => share.toFixed(2)),
    ]),
  ])
  const ratio = ([one, two]: [string, string]) => {
    const [a, b] = [one, two].map((name) => all.find((each) => each.name === name))
    const rounds = (b?.rounds ?? []).map((each, i) => each / (a?.rounds[i] ?? 0))
    return { all: (b?.perSecond ?? 0) / (a?.perSecond ?? 0), rounds }
  }
  section('Two of them against one', [
    ['', 'ratio', 'rounds', 'goal'],
    ...pairs.map(({ name, of, goal }) => {
      const { all: value, rounds } = ratio(of)
      const perRound = rounds.map((each) => each.toFixed(2)).join(' ')
      return [name, value.toFixed(2), perRound, goal === undefined ? '' : atLeast(value, goal)]
    }),
  ])
}

const pairs: { name: string; of: [string, string]; goal?: number }[] = [
  {
    name: 'two workers',
    of: ['one worker, one at once', 'two workers, one at once each'],
    goal: goals.secondWorker,
  },
  { name: 'one worker, two at once', of: ['one worker, one at once', 'one worker, two at once'] },
  {
    name: 'one process on SQLite, two at once',
    of: ['one process on SQLite, one at once', 'one process on SQLite, two at once'],
  },
  { name: 'by hand: two processes', of: ['by hand, one process', 'by hand, two processes'] },
]

export function workerLongRunSection({ executions, memory }: WorkerLongRun, section: Section): void {
  section(`A long run of a worker on PostgreSQL: ${executions} executions, two concurrently`, [
    ['', 'early', 'late', 'most', 'goal'],
    memoryRow(memory),
  ])
}

export function longListSection(lists: LongListResult[], section: Section): void {
  const [few, many] = [longListRows.few, longListRows.many].map((rows) => rows.toLocaleString('en'))
  for (const side of ['store', 'http'] as const) {
    section(`Pages of 20 of ${many} rows against ${few}, ${side === 'http' ? 'over HTTP' : 'from the store'}`, [
      ['engine and list', `${few}: p50 ms`, 'p95', `${many}: p50 ms`, 'p95', 'p95 ratio', 'rounds', 'noise', 'goal'],
      ...lists.map((each) => [`${each.engine}: ${each.list}`, ...listCells(each[side], each.list)]),
    ])
  }
}

function listCells({ few, many, ratios, noise }: SizesCompared, list: string): string[] {
  const ratio = many.p95 / few.p95
  return [
    ...[few.p50, few.p95, many.p50, many.p95, ratio].map((value) => value.toFixed(2)),
    `${percentile(ratios, 0).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    `${percentile(noise, 0).toFixed(2)}-${Math.max(...noise).toFixed(2)}`,
    // It skips half a million rows, without a target.
    list.includes('offset of the middle') ? '' : atMost(ratio, goals.longList),
  ]
}

function leastToMost(values: number[], decimals: number): string[] {
  return [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(decimals))
}
