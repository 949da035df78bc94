/** The table of ratios. */
import { availableParallelism, cpus } from 'node:os'
import type { CacheResults } from './cache.ts'
import type { ConsoleResults } from './console/index.ts'
import type { StageResults } from './console/stage.ts'
import type { DeliveryResults } from './delivery.ts'
import type { EngineResults } from './engine/index.ts'
import type { ExecutionResult } from './executions.ts'
import { workflowCount } from './lists.ts'
import type { Comparison } from './load.ts'
import type { LongListResult } from './long-lists.ts'
import type { NeighboursResults } from './neighbours.ts'
import type { PreviewResult } from './previews.ts'
import { consoleSections, stageSections } from './report-console.ts'
import { longListSection, workerLongRunSection, workersSections } from './report-many.ts'
import { neighboursSections } from './report-neighbours.ts'
import type { StartComparison, StartResult } from './starts.ts'
import type { TelemetryResult } from './telemetry.ts'
import { atLeast, atMost, memoryRow, type Section } from './verdict.ts'
import type { WorkersResults } from './workers/index.ts'
import type { WorkerLongRun } from './workers/memory.ts'

type Memory = { now: number; peak: number }

/** The parts that can be selected. */
export const servedParts: string[] = ['executions', 'photographs', 'overhead', 'previews', 'delivery', 'list']
export const engineParts = [
  'chains',
  'branches',
  'credentials',
  'html',
  'long-run',
  'models',
  'operations',
  'outputs',
  'quality',
] as const
export const parts = [
  'starts',
  'cache',
  'workers',
  'console',
  'stage',
  'neighbours',
  'telemetry',
  ...servedParts,
  ...engineParts,
]

export interface Results extends EngineResults {
  starts?: StartResult
  /** Start times of this clone and other installations. */
  startsAgainst?: StartComparison[]
  cache?: CacheResults
  workers?: WorkersResults
  console?: ConsoleResults
  stage?: StageResults
  neighbours?: NeighboursResults[]
  telemetry?: TelemetryResult[]
  workerLongRun?: WorkerLongRun
  longLists?: LongListResult[]
  executions?: ExecutionResult[]
  photographs?: ExecutionResult[]
  /** MiB, after the executions. */
  memory?: { ours: Memory; bare: Memory }
  overhead?: (Comparison & { clients: number })[]
  previews?: PreviewResult[]
  delivery?: DeliveryResults
  list?: (Comparison & { clients: number })[]
}

/** Targets. */
const goals = {
  /** CPU per execution, ours divided by bare, on photos of at least this number of megapixels. */
  cpuRatio: 1.05,
  megapixelsMin: 4,
  /** CPU of the API itself per request, with one client and with more. */
  overheadMs: { one: 1.5, more: 1 },
  /** Time from the request to the bytes of a live preview, at the 95th percentile. */
  previewP95Ms: 100,
  /** CPU of a hit of a delivery URL: 1,000 per second and core. */
  hitMs: 1,
  hitP99Ms: 20,
  /** CPU of another size of a photo, ours divided by bare. */
  sizes: 1.1,
  /** Time from the process to ready. */
  startMs: { empty: 2_000, existing: 800 },
  /** Saved CPU as a factor, compared with an encoding after each step. */
  chains: 2.5,
  /** Wall time of two branches divided by that of one. */
  branches: 1.15,
  /** CPU of nine files of one photo divided by that of the nine encodings alone. */
  outputs: 1.3,
  /** Wall time to sign an image of 1200 x 630 and to read it again. */
  signingMs: 3,
  /** CPU to draw a card of HTML at 1200 x 630. */
  cardMs: 60,
  /** CPU of an execution with metrics and traces, divided by that without. */
  telemetry: 1.02,
  /** Delay of event loop callbacks, at the 99th percentile. */
  delayMs: 20,
  /** Speed-up of a repeated execution, if the first one took at least this number of milliseconds. */
  again: 20,
  againMsMin: 100,
  /** CPU with the cache divided by that without, for new executions. */
  storing: 1.05,
}

export function report(results: Results): string {
  const { starts, executions, photographs, memory, overhead, list } = results
  const lines = [`Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`]
  const section = (title: string, rows: string[][]) => lines.push('', title, ...table(rows))
  if (executions) {
    section('Executions against the same picture made by hand with sharp in a node:http server', [
      [...heads('workflow', 'megapixels'), 'alike', 'goal'],
      ...executions.map((execution) => [
        execution.name,
        execution.megapixels.toFixed(1),
        ...cells(execution),
        `${execution.psnr.toFixed(0)} dB`,
        execution.megapixels < goals.megapixelsMin
          ? ''
          : atMost(execution.ours.cpuMs / execution.bare.cpuMs, goals.cpuRatio),
      ]),
    ])
  }
  if (photographs) {
    section('Photographs to a smaller WebP, against one sharp pipeline in a node:http server', [
      [...heads('source', 'megapixels'), 'alike', 'goal'],
      ...photographs.map((photograph) => [
        photograph.name,
        photograph.megapixels.toFixed(1),
        ...cells(photograph),
        `${photograph.psnr.toFixed(0)} dB`,
        atMost(photograph.ours.cpuMs / photograph.bare.cpuMs, goals.cpuRatio),
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
      ...overhead.map((comparison) => {
        const ownCpuMs = comparison.ours.cpuMs - comparison.bare.cpuMs
        return [
          ...cells(comparison),
          ownCpuMs.toFixed(2),
          atMost(ownCpuMs, comparison.clients === 1 ? goals.overheadMs.one : goals.overheadMs.more),
        ]
      }),
    ])
  }
  if (results.previews) {
    section('Live previews at 1200 x 630, ms, against the same work from pixels in memory', [
      ['setting', 'quality', 'median', 'p95', 'bare', 'bare p95', 'ratio', 'goal'],
      ...results.previews.map(({ name, quality, ours, bare }) => [
        name,
        quality,
        ...[ours.median, ours.p95, bare.median, bare.p95, ours.median / bare.median].map((value) => value.toFixed(1)),
        // While a value changes. The exact image follows the last change.
        quality === 'fast' ? atMost(Math.round(ours.p95), goals.previewP95Ms) : '',
      ]),
    ])
  }
  if (results.delivery) deliverySections(results.delivery, section)
  if (list) {
    const title = `GET /workflows?limit=20 of ${workflowCount} against a bare Fastify route with the same SQL`
    section(title, [heads(), ...list.map(cells)])
  }
  if (starts) {
    section('Start, from the process to ready', [
      ['data directory', 'ms', 'CPU ms', 'goal'],
      ['empty', ...start(starts.empty, goals.startMs.empty)],
      ['existing', ...start(starts.existing, goals.startMs.existing)],
    ])
  }
  if (results.startsAgainst) {
    const ms = (value: number) => value.toFixed(0)
    section('Start of this clone and other installations, in turns', [
      ['installation', 'existing: ms', 'CPU ms', 'empty: ms', 'CPU ms'],
      ...results.startsAgainst.map(({ installation, existing, empty }) => [
        installation,
        ...[existing.ms, existing.cpuMs, empty.ms, empty.cpuMs].map(ms),
      ]),
    ])
  }
  if (results.longLists) longListSection(results.longLists, section)
  if (results.cache) cacheSections(results.cache, section)
  if (results.workers) workersSections(results.workers, section)
  if (results.console) consoleSections(results.console, section)
  if (results.stage) stageSections(results.stage, section)
  if (results.neighbours) neighboursSections(results.neighbours, section)
  if (results.telemetry) telemetrySection(results.telemetry, section)
  engineSections(results, section)
  if (results.workerLongRun) workerLongRunSection(results.workerLongRun, section)
  return [...lines, '', ''].join('\n')
}

function deliverySections({ hits, sizes }: DeliveryResults, section: Section): void {
  section('A delivery URL whose file exists, against a node:http server that streams the file', [
    [...heads(), 'per second and core', 'goal', 'p99 ms', 'goal'],
    ...hits.map((hit) => [
      ...cells(hit),
      (1_000 / hit.ours.cpuMs).toFixed(0),
      atMost(hit.ours.cpuMs, goals.hitMs),
      hit.p99Ms.toFixed(1),
      atMost(hit.p99Ms, goals.hitP99Ms),
    ]),
  ])
  section('Another size of a photo of 8 megapixels by its URL, against one call of sharp in a node:http server', [
    [...heads(), 'alike', 'goal'],
    ...sizes.map((size) => [
      ...cells(size),
      `${size.psnr.toFixed(0)} dB`,
      atMost(size.ours.cpuMs / size.bare.cpuMs, goals.sizes),
    ]),
  ])
}

function cacheSections({ again, storing }: CacheResults, section: Section): void {
  section('The same execution again, from request to answer', [
    ['workflow', 'first, ms', 'again, ms', 'times faster', 'other words, ms', 'goal'],
    ...again.map(({ name, firstMs, againMs, changedMs }) => {
      const times = firstMs / againMs
      return [
        name,
        firstMs.toFixed(0),
        againMs.toFixed(1),
        times.toFixed(0),
        changedMs === null ? '' : changedMs.toFixed(0),
        firstMs < goals.againMsMin ? '' : atLeast(times, goals.again),
      ]
    }),
  ])
  section('Photographs that were never seen, with the step cache against without', [
    ['workflow', 'CPU ms', 'without', 'ratio', 'ms', 'without', 'goal'],
    ...storing.map(({ name, ours, bare }) => [
      name,
      ours.cpuMs.toFixed(1),
      bare.cpuMs.toFixed(1),
      (ours.cpuMs / bare.cpuMs).toFixed(2),
      ours.latencyMs.toFixed(1),
      bare.latencyMs.toFixed(1),
      atMost(ours.cpuMs / bare.cpuMs, goals.storing),
    ]),
  ])
}

function telemetrySection(telemetry: TelemetryResult[], section: Section): void {
  section('Executions with metrics and traces, against a service without them', [
    ['workflow', 'enabled', 'CPU ms', 'without', 'ratio', 'in quarters', 'goal'],
    ...telemetry.map(({ name, enabled, ours, bare, cpuRatios }) => {
      const ratio = ours.cpuMs / bare.cpuMs
      const quarters = cpuRatios.map((each) => each.toFixed(3)).join(' ')
      // A tiny workflow does nothing else.
      const goal = name === 'tiny' ? '' : atMost(ratio, goals.telemetry)
      return [name, enabled, ours.cpuMs.toFixed(2), bare.cpuMs.toFixed(2), ratio.toFixed(3), quarters, goal]
    }),
  ])
}

function engineSections(results: EngineResults, section: Section): void {
  const { chains, branches, credentials, html, models, operations, outputs, quality, 'long-run': longRun } = results
  if (chains) {
    section('Chains of four operations on 2 megapixels, against the same with a PNG after every step', [
      ['source', 'CPU ms', 'with PNGs', 'times less', 'goal'],
      ...chains.map(({ name, chain, encoding }) => {
        const times = encoding.cpuMs / chain.cpuMs
        return [name, chain.cpuMs.toFixed(0), encoding.cpuMs.toFixed(0), times.toFixed(2), atLeast(times, goals.chains)]
      }),
    ])
  }
  if (credentials) {
    section('Signing 1200 x 630 with Content Credentials and reading it again, against encoding it', [
      ['format', 'ms', 'CPU ms', 'encoding ms', 'ratio', 'goal (ms)'],
      ...credentials.map(({ format, signing, encoding }) => [
        format,
        signing.wallMs.toFixed(2),
        signing.cpuMs.toFixed(2),
        encoding.wallMs.toFixed(2),
        (signing.wallMs / encoding.wallMs).toFixed(2),
        atMost(signing.wallMs, goals.signingMs),
      ]),
    ])
  }
  if (html) {
    section('Cards of HTML and CSS at 1200 x 630, from pixels to pixels, against encoding them as WebP', [
      ['card', 'CPU ms', 'encoding', 'ratio', 'ms', 'goal (CPU ms)'],
      ...html.map(({ name, drawing, encoding }) => [
        name,
        drawing.cpuMs.toFixed(0),
        encoding.cpuMs.toFixed(0),
        (drawing.cpuMs / encoding.cpuMs).toFixed(2),
        drawing.wallMs.toFixed(0),
        atMost(drawing.cpuMs, goals.cardMs),
      ]),
    ])
  }
  if (models) {
    section('Local models, and plain executions next to them', [
      ['model', 'first ms', 'later ms', 'peak MiB', 'plain executions, compared to none running'],
      ...models.map(({ model, firstMs, laterMs, memoryMiB, plainShare }) => [
        model,
        firstMs.toFixed(0),
        laterMs.toFixed(0),
        memoryMiB.toFixed(0),
        plainShare.toFixed(2),
      ]),
    ])
  }
  if (quality) {
    section('`quality: auto` of a photo of 1200 x 800, against the default quality', [
      ['format', 'CPU ms', 'default CPU ms', 'ratio', 'size of the file'],
      ...quality.map(({ format, auto, plain, size }) => [
        format,
        auto.cpuMs.toFixed(0),
        plain.cpuMs.toFixed(0),
        (auto.cpuMs / plain.cpuMs).toFixed(2),
        size.toFixed(2),
      ]),
    ])
  }
  if (branches) {
    const { one, two } = branches
    section('Two branches that do not need each other', [
      ['', 'wall ms', 'CPU ms', 'ratio', 'goal'],
      ['one', one.wallMs.toFixed(0), one.cpuMs.toFixed(0), '', ''],
      [
        'two',
        two.wallMs.toFixed(0),
        two.cpuMs.toFixed(0),
        (two.wallMs / one.wallMs).toFixed(2),
        atMost(two.wallMs / one.wallMs, goals.branches),
      ],
    ])
  }
  if (outputs) {
    const { together, encodings } = outputs
    const ratio = together.cpuMs / encodings.cpuMs
    section('Nine files of one photo of 8 megapixels in one execution, against the nine encodings alone', [
      ['', 'wall ms', 'CPU ms', 'ratio', 'goal'],
      ['encodings', encodings.wallMs.toFixed(0), encodings.cpuMs.toFixed(0), '', ''],
      [
        'execution',
        together.wallMs.toFixed(0),
        together.cpuMs.toFixed(0),
        ratio.toFixed(2),
        atMost(ratio, goals.outputs),
      ],
    ])
  }
  if (longRun) {
    const { executions, memory, delayMs } = longRun
    section(`A long run: ${executions} executions, four concurrently`, [
      ['', 'early', 'late', 'most', 'goal'],
      memoryRow(memory),
      ['', 'p50', 'p99', 'most', ''],
      [
        'event loop late, ms',
        delayMs.p50.toFixed(1),
        delayMs.p99.toFixed(1),
        delayMs.most.toFixed(1),
        `p99 ${atMost(delayMs.p99, goals.delayMs)}`,
      ],
    ])
  }
  if (operations) {
    section('Every operation on 2 megapixels of RGB, from pixels to pixels, compared with sharp', [
      ['operation', 'CPU ms', 'sharp', 'ratio'],
      ...operations.map(({ id, cpuMs, sharpMs }) => [
        id,
        cpuMs.toFixed(1),
        sharpMs?.toFixed(1) ?? '',
        sharpMs === undefined ? '' : (cpuMs / sharpMs).toFixed(2),
      ]),
    ])
  }
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

function start({ ms, cpuMs }: { ms: number; cpuMs: number }, goal: number): string[] {
  return [ms.toFixed(0), cpuMs.toFixed(0), atMost(ms, goal)]
}

/** Columns with the necessary width, the first aligned to the left, the others to the right. */
function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => {
    const texts = row.map((text, column) =>
      column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    )
    return `  ${texts.join('  ').trimEnd()}`
  })
}
