/** Runs imported documents with their default parameters. */

import { readdirSync, readFileSync } from 'node:fs'
import { type ImportedSvg, importSvg } from '../../shared/svg-import/import-svg.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import { runPlan } from '../../src/engine/run/run.ts'
import { createImaging } from '../../src/imaging/raster/imaging.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import { limits } from '../../src/limits.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('./samples/', import.meta.url)

export const sampleNames = readdirSync(folder)
  .filter((name) => name.endsWith('.svg'))
  .map((name) => name.slice(0, -4))
  .sort()

export function textOfSample(name: string): string {
  return readFileSync(new URL(`${name}.svg`, folder), 'utf8')
}

export function goldenOf(name: string): URL {
  return new URL(`${name}.png`, folder)
}

const check = createChecker(catalogue)
const imaging = createImaging({ processes: testProcesses, pixelsMax: limits.imagePixelsMax })
const pixels = createPixelBudget(limits.pixelsInFlightMax, limits.imagePixelsMax)

/** A PNG. Throws if the document is not valid. */
export async function renderImported({ document, images }: ImportedSvg): Promise<Buffer> {
  // Without the format, a file name is accepted in place of the id of an image.
  const parameters = document.parameters.map(({ format, ...parameter }) =>
    format === 'image' ? parameter : { format, ...parameter },
  )
  const plain = { ...document, parameters: parameters.map((each) => JSON.parse(JSON.stringify(each)) as object) }
  const { workflow, issues } = check(plain)
  if (workflow === undefined) throw new Error(JSON.stringify(issues))
  const { plan, issues: wrong } = planExecution(workflow, {})
  if (plan === undefined) throw new Error(JSON.stringify(wrong))
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 60,
    pixelsMax: limits.imagePixelsMax,
    pixels,
    open: async (source) => {
      const image = images.find(({ placeholder }) => placeholder === source)
      if (image === undefined) throw new Error(`there is no image ${source}`)
      return { bytes: Buffer.from(image.base64, 'base64') }
    },
    encode: imaging.encode,
    clock: systemClock,
    onProgress: () => undefined,
  })
  if (result.fault) throw result.fault
  return result.output.bytes ?? Buffer.alloc(0)
}

export const importSample = (name: string) => importSvg(textOfSample(name), name)
