/** Runs a workflow only for its image: it records and stores nothing. */

import { list } from '../../shared/text.ts'
import type { Clock } from '../domain/clock.ts'
import type { WorkflowExample } from '../domain/workflow.ts'
import type { CheckedWorkflow, Checker } from '../engine/check/checked-workflow.ts'
import { planExecution } from '../engine/plan/plan.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import { type Encode, type EncodedImage, type RunOptions, runPlan } from '../engine/run/run.ts'
import { type Fault, invalidRequest } from '../errors.ts'

export interface Renderings {
  /** Throws `invalid_request` with every problem. */
  check(document: unknown): Promise<CheckedWorkflow>
  /** Throws the fault that an execution would fail with. */
  render(workflow: CheckedWorkflow, parameters: Record<string, unknown>, bounds: RenderBounds): Promise<Rendering>
}

/** The image as it is served, and a lossless version of it: in a lossy file, a small change affects many pixels. */
export type Rendering = EncodedImage & { exact: Buffer }

export interface RenderBounds {
  /** The account of the rendering. */
  account?: string | undefined
  open: RunOptions['open']
  fonts?: RunOptions['fonts']
  timeoutSeconds: number
  signal: AbortSignal
}

interface Dependencies {
  check: Checker
  encode: Encode
  pixels: PixelBudget
  pixelsMax: number
  clock: Clock
  /** Receives every failure with its cause, which callers don't see. */
  onFailure?: (fault: Fault) => void
}

export function createRenderings({ check, encode, onFailure, ...dependencies }: Dependencies): Renderings {
  return {
    async check(document) {
      const { workflow, issues } = await check.inTurns(document)
      if (issues) throw invalidRequest(issues)
      return workflow
    },

    async render(workflow, parameters, bounds) {
      const { plan, issues } = planExecution(workflow, parameters)
      if (issues) throw invalidRequest(issues)
      let exact: Buffer = Buffer.alloc(0)
      const encodeTwice: Encode = async (image, settings, context) => {
        const format = image.animation ? 'webp' : 'png'
        exact = (await encode(image, { format, lossless: true, effort: 'low' }, context)).bytes
        return encode(image, settings, context)
      }
      const options = { ...dependencies, ...bounds, encode: encodeTwice, onProgress: () => undefined }
      const { output, fault } = await runPlan(plan, options)
      if (fault) {
        onFailure?.(fault)
        throw fault
      }
      // Without a cache, the bytes are always its own.
      return { ...output, bytes: output.bytes ?? Buffer.alloc(0), exact }
    },
  }
}

/** The examples of a workflow. Without examples: the workflow itself, if no parameter is required. */
export function examplesOf({ document, parameters }: CheckedWorkflow): WorkflowExample[] {
  const { examples = [] } = document
  if (examples.length > 0) return examples
  const needed = parameters.filter((each) => each.required && each.default === undefined).map(({ name }) => name)
  if (needed.length === 0) return [{ name: 'defaults' }]
  const message = `is required to render this workflow, because it has required parameters: ${list(needed)}. Add an example that sets them.`
  throw invalidRequest([{ path: 'examples', message }])
}
