/** Runs a workflow only for the images of its outputs: it records and stores nothing. */

import { list } from '../../shared/text.ts'
import type { UsedBrandValues } from '../domain/brand.ts'
import type { Clock } from '../domain/clock.ts'
import type { WorkflowExample } from '../domain/workflow.ts'
import type { CheckedWorkflow, Checker, UsableWorkflows, UsedWorkflow } from '../engine/check/checked-workflow.ts'
import { planExecution } from '../engine/plan/plan.ts'
import type {
  Encode,
  EncodedImage,
  EncodedPage,
  NamedOutputPorts,
  RunFile,
  RunNamedOutput,
} from '../engine/run/output-ports.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import { type RunOptions, runPlan } from '../engine/run/run.ts'
import { type Fault, invalidRequest } from '../errors.ts'

export type { UsableWorkflows, UsedWorkflow }

export interface Renderings {
  /** Throws `invalid_request` with every problem. */
  check(document: unknown, usable?: UsableWorkflows): Promise<CheckedWorkflow>
  /** Throws the fault that an execution would fail with. */
  render(workflow: CheckedWorkflow, parameters: Record<string, unknown>, bounds: RenderBounds): Promise<Rendered>
}

/** The image as it is served, and a lossless version of it: in a lossy file, a small change affects many pixels. */
export type Rendering = EncodedImage & { exact: Buffer }

/** The primary output first, then each of `outputs`: its image, the widest of a set, or all pages of a PDF. */
export type Rendered = [RenderedImage, ...RenderedImage[]]

export interface RenderedImage {
  /** Undefined for the primary output. */
  output?: RenderedName
  image: Rendering
}

export interface RenderedName {
  name: string
  /** Of a PDF, from 1. */
  page?: number
}

export interface RenderBounds {
  /** The account of the rendering. */
  account?: string | undefined
  open: RunOptions['open']
  fonts?: RunOptions['fonts']
  /** At least the values that the workflow reads. */
  brand?: UsedBrandValues | undefined
  timeoutSeconds: number
  signal: AbortSignal
}

interface Dependencies {
  check: Checker
  encode: Encode
  named: Omit<NamedOutputPorts, 'store'>
  pixels: PixelBudget
  pixelsMax: number
  clock: Clock
  /** Receives every failure with its cause, which callers don't see. */
  onFailure?: (fault: Fault) => void
}

export function createRenderings({ check, encode, named, onFailure, ...dependencies }: Dependencies): Renderings {
  return {
    async check(document, usable) {
      const { workflow, issues } = await check.inTurns(document, usable)
      if (issues) throw invalidRequest(issues)
      return workflow
    },

    async render(workflow, parameters, { brand, ...bounds }) {
      const { plan, issues } = planExecution(workflow, parameters, brand)
      if (issues) throw invalidRequest(issues)
      const exact = keepExact(encode, named)
      const options = { ...dependencies, ...bounds, ...exact.ports, onProgress: () => undefined }
      const result = await runPlan(plan, options)
      if (result.fault) {
        onFailure?.(result.fault)
        throw result.fault
      }
      return [{ image: exact.imageOf(result.output, 'output') }, ...result.outputs.flatMap(exact.imagesOf)]
    },
  }
}

/** Encodes each image a second time without loss. */
function keepExact(encode: Encode, named: Dependencies['named']) {
  /** The widest image of each output, by its path. */
  const widest = new Map<string, { width: number; bytes?: Buffer }>()
  const pages = new Map<Buffer | undefined, readonly EncodedPage[]>()
  const ports = {
    encode: (async (image, settings, context) => {
      const { outputPath = 'output' } = context
      const format = image.animation ? 'webp' : 'png'
      if (image.width > (widest.get(outputPath)?.width ?? 0)) {
        const exact: { width: number; bytes?: Buffer } = { width: image.width }
        widest.set(outputPath, exact)
        exact.bytes = (await encode(image, { format, lossless: true, effort: 'low' }, context)).bytes
      }
      return encode(image, settings, context)
    }) satisfies Encode,
    named: {
      ...named,
      encodePage: (image, page, { quality: _quality, chroma: _chroma, ...settings }, context) =>
        named.encodePage(image, page, { ...settings, lossless: true }, context),
      bindPages: async (encoded, origin) => {
        const bytes = await named.bindPages(encoded, origin)
        pages.set(bytes, encoded)
        return bytes
      },
    } satisfies NamedOutputPorts,
  }
  // Without a cache and a store, the bytes are always in memory.
  const imageOf = ({ bytes = Buffer.alloc(0), format, width, height }: RunFile, path: string): Rendering => {
    return { bytes, format, width, height, exact: widest.get(path)?.bytes ?? Buffer.alloc(0) }
  }
  return {
    ports,
    imageOf,
    imagesOf({ output: name, files }: RunNamedOutput): RenderedImage[] {
      const file = files.at(-1)
      if (file === undefined) return []
      const pageFiles = pages.get(file.bytes)
      if (pageFiles === undefined) return [{ output: { name }, image: imageOf(file, `outputs.${name}`) }]
      return pageFiles.map(({ page: _, ...image }, i) => ({
        output: { name, page: i + 1 },
        image: { ...image, exact: image.bytes },
      }))
    },
  }
}

/** The examples of a workflow. Without examples: the workflow itself, if no parameter is required. */
export function examplesOf({ document, parameters }: CheckedWorkflow): WorkflowExample[] {
  const { examples = [] } = document
  if (examples.length > 0) return examples
  const needed = parameters
    .filter((parameter) => parameter.required && parameter.default === undefined)
    .map(({ name }) => name)
  if (needed.length === 0) return [{ name: 'defaults' }]
  const message = `is required to render this workflow, because it has required parameters: ${list(needed)}. Add an example that sets them.`
  throw invalidRequest([{ path: 'examples', message }])
}
