/** The engine of the service, in this process: documents in, encoded images out, no records and no HTTP. */

import sharp, { type Sharp } from 'sharp'
import { configureHeap } from '../../src/app/memory.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import { type RunResult, runPlan } from '../../src/engine/run/run.ts'
import { createImaging } from '../../src/imaging/raster/imaging.ts'
import { limits } from '../../src/limits.ts'
import { catalogue } from '../../src/operations/index.ts'
import { Processes } from '../../src/processes/processes.ts'
import { median } from '../statistics.ts'

// As in src/app/serve.ts.
configureHeap()

export type Sources = Record<string, Buffer>
export type Nodes = Record<string, object>

export const processes = new Processes()
const check = createChecker(catalogue)
export const imaging = createImaging({ processes, pixelsMax: limits.imagePixelsMax })
const pixels = createPixelBudget(limits.pixelsInFlightMax, limits.executionImagesMax * limits.imagePixelsMax)

/** Runs a document once; `sources` are the images of its `image` nodes. Returns the primary output. */
export async function execute(nodes: Nodes, output: object, sources: Sources, outputs = {}): Promise<Buffer> {
  const { workflow, issues } = check({ name: 'Lab', nodes, output, outputs })
  if (workflow === undefined) throw new Error(JSON.stringify(issues))
  const { plan, issues: wrong } = planExecution(workflow, {})
  if (plan === undefined) throw new Error(JSON.stringify(wrong))
  const result: RunResult = await runPlan(plan, {
    processes,
    signal: new AbortController().signal,
    timeoutSeconds: 120,
    pixelsMax: limits.imagePixelsMax,
    pixels,
    open: async (source) => {
      const bytes = sources[source]
      if (bytes === undefined) throw new Error(`there is no source ${source}`)
      return { bytes }
    },
    encode: imaging.encode,
    named: imaging,
    clock: systemClock,
    onProgress: () => undefined,
  })
  if (result.fault) throw result.fault
  return result.output.bytes ?? Buffer.alloc(0)
}

export interface Cost {
  cpuMs: number
  wallMs: number
}

/** Medians of several runs of each, in turns, after a warm-up run of each. */
export async function inTurns<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  rounds: number,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(works) as Name[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]])) as Record<Name, Cost[]>
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const [cpu, wall] = [process.cpuUsage(), performance.now()]
      await works[name]()
      const { user, system } = process.cpuUsage(cpu)
      if (round >= 0) costs[name].push({ cpuMs: (user + system) / 1000, wallMs: performance.now() - wall })
    }
  }
  return Object.fromEntries(names.map((name) => [name, mediansOf(costs[name])])) as Record<Name, Cost>
}

function mediansOf(costs: Cost[]): Cost {
  return { cpuMs: median(costs.map(({ cpuMs }) => cpuMs)), wallMs: median(costs.map(({ wallMs }) => wallMs)) }
}

/** A photo of the examples, scaled to this number of pixels per side. */
export async function photograph(width: number, height: number): Promise<Sharp> {
  const file = new URL('../../examples/pictures/dandelion.jpg', import.meta.url)
  return sharp(new Uint8Array(await sharp(file.pathname).resize(width, height, { fit: 'cover' }).png().toBuffer()))
}

/** The same with a soft round alpha. */
export async function cutOut(width: number, height: number): Promise<Sharp> {
  const disc = `<svg width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="45%" ry="45%"/></svg>`
  const alpha = await sharp(Buffer.from(disc)).blur(8).extractChannel('alpha').toBuffer()
  const photo = await (await photograph(width, height)).removeAlpha().toBuffer()
  return sharp(await sharp(photo).joinChannel(alpha).png().toBuffer())
}
