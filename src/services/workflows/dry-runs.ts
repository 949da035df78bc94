/** Runs a workflow only for the images of its outputs: it records and stores nothing. */

import { list } from '../../../shared/text.ts'
import type { UsedBrandValues } from '../../domain/accounts/brand.ts'
import type { Clock } from '../../domain/clock.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import type { WorkflowExample } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow, Checker, UsableWorkflows, UsedWorkflow } from '../../engine/check/checked-workflow.ts'
import { planExecution } from '../../engine/plan/plan.ts'
import type {
  Encode,
  EncodedImage,
  EncodedPage,
  NamedOutputPorts,
  RunFile,
  RunNamedOutput,
} from '../../engine/run/output-ports.ts'
import { type PixelBudget, pixelsOf } from '../../engine/run/pixel-budget.ts'
import { type RunOptions, runPlan } from '../../engine/run/run.ts'
import { type Fault, invalidRequest } from '../../errors.ts'
import { createDryRunFiles, type DryRunFile, type DryRunFiles } from './dry-run-files.ts'

export type { UsableWorkflows, UsedWorkflow }

export interface DryRuns {
  /** Throws `invalid_request` with every problem. */
  check(document: unknown, usable?: UsableWorkflows): Promise<CheckedWorkflow>
  /** Throws the fault that an execution would fail with, and `limit_exceeded` if the files are too large together. */
  render(workflow: CheckedWorkflow, parameters: Record<string, unknown>, bounds: RenderBounds): Promise<Rendered>
}

/** Outputs in files, until they are discarded. */
export interface Rendered {
  /** The primary output first, then each of `outputs`: its image, the widest of a set, or all pages of a PDF. */
  images: RenderedImage[]
  discard(): Promise<void>
}

export interface RenderedImage {
  /** Undefined for the primary output. */
  output?: RenderedName
  image: Rendering
}

/** The image as it is served, and a lossless version of it: in a lossy file, a small change affects many pixels. */
export interface Rendering extends Omit<EncodedImage, 'bytes'> {
  file: DryRunFile
  exact: DryRunFile
}

export interface RenderedName {
  name: string
  /** Page of a PDF, from 1. */
  page?: number
}

export interface RenderBounds {
  /** The account of the rendering. */
  account?: string | undefined
  open: RunOptions['open']
  fonts?: RunOptions['fonts']
  /** Brand values, at least those that the workflow reads. */
  brand?: UsedBrandValues | undefined
  timeoutSeconds: number
  signal: AbortSignal
}

interface Dependencies {
  check: Checker
  encode: Encode
  named: Omit<NamedOutputPorts, 'store'>
  /** Writes a temporary file. */
  stage: BlobStore['stage']
  processes: RunOptions['processes']
  pixels: PixelBudget
  pixelsMax: number
  clock: Clock
  /** Receives every failure with its cause, which callers don't see. */
  onFailure?: (fault: Fault) => void
}

export function createDryRuns({ check, encode, named, stage, onFailure, ...dependencies }: Dependencies): DryRuns {
  return {
    async check(document, usable) {
      const { workflow, issues } = check(document, usable)
      if (issues) throw invalidRequest(issues)
      return workflow
    },

    async render(workflow, parameters, { brand, ...bounds }) {
      const { plan, issues } = planExecution(workflow, parameters, brand)
      if (issues) throw invalidRequest(issues)
      const files = createDryRunFiles(stage)
      try {
        const exact = keepExact(encode, named, files)
        const options = { ...dependencies, ...bounds, ...exact.ports, onProgress: () => undefined }
        const result = await runPlan(plan, options)
        if (result.fault) {
          onFailure?.(result.fault)
          throw result.fault
        }
        const primary = { image: await exact.imageOf(result.output, 'output') }
        const others = await Promise.all(result.outputs.map(exact.imagesOf))
        return { images: [primary, ...others.flat()], discard: files.discard }
      } catch (error) {
        await files.discard()
        throw error
      }
    },
  }
}

type EncodedValue = Parameters<Encode>[0]
type EncodeContext = Parameters<Encode>[2]

/** Encodes each image a second time without loss. Each file is written before the next image is encoded without loss. */
function keepExact(encode: Encode, named: Dependencies['named'], files: DryRunFiles) {
  const inOrder = oneAtATime()
  /** The widest image of each output, by its path. */
  const widest = new Map<string, { width: number; file?: DryRunFile }>()
  /** Outputs of one node have the same image. */
  const exactFiles = new WeakMap<EncodedValue, Promise<DryRunFile>>()
  /** Files that the run has stored, by id. */
  const stored = new Map<string, DryRunFile>()
  const pages = new WeakMap<EncodedPage, DryRunFile>()
  /** PDFs by their bytes, which are empty because only the pages are compared, and by id. */
  const bound = new WeakMap<Buffer, readonly EncodedPage[]>()
  const boundById = new Map<string, readonly EncodedPage[]>()

  function exactOf(image: EncodedValue, context: EncodeContext): Promise<DryRunFile> {
    const format = image.animation ? 'webp' : 'png'
    const file =
      exactFiles.get(image) ??
      inOrder(image, context, async () => {
        return files.add((await encode(image, { format, lossless: true, effort: 'low' }, context)).bytes)
      })
    exactFiles.set(image, file)
    return file
  }

  const ports = {
    encode: (async (image, settings, context) => {
      const { outputPath = 'output' } = context
      if (image.width > (widest.get(outputPath)?.width ?? 0)) {
        const exact: { width: number; file?: DryRunFile } = { width: image.width }
        widest.set(outputPath, exact)
        exact.file = await exactOf(image, context)
      }
      return encode(image, settings, context)
    }) satisfies Encode,
    named: {
      ...named,
      encodePage: (image, page, { quality: _quality, chroma: _chroma, ...settings }, context) =>
        inOrder(image, context, async () => {
          const encoded = await named.encodePage(image, page, { ...settings, lossless: true }, context)
          const written = { ...encoded, bytes: Buffer.alloc(0) }
          pages.set(written, await files.add(encoded.bytes))
          return written
        }),
      bindPages: async (encoded) => {
        const bytes = Buffer.alloc(0)
        bound.set(bytes, encoded)
        return bytes
      },
      store: async ({ bytes }) => {
        const file = await files.add(bytes)
        const id = `${stored.size}`
        stored.set(id, file)
        const ofPdf = bound.get(bytes)
        if (ofPdf) boundById.set(id, ofPdf)
        return { id, size: file.size, sha256: file.sha256 }
      },
    } satisfies NamedOutputPorts,
  }

  async function imageOf({ bytes, stored: at, format, width, height }: RunFile, path: string): Promise<Rendering> {
    const file = at ? stored.get(at.id) : await files.add(bytes)
    const exact = widest.get(path)?.file
    if (file === undefined || exact === undefined) throw new Error(`${path} was not rendered`)
    return { file, format, width, height, exact }
  }

  return {
    ports,
    imageOf,
    async imagesOf({ output: name, files }: RunNamedOutput): Promise<RenderedImage[]> {
      const file = files.at(-1)
      if (file === undefined) return []
      const ofPdf = boundById.get(file.stored?.id ?? '')
      if (ofPdf === undefined) return [{ output: { name }, image: await imageOf(file, `outputs.${name}`) }]
      return ofPdf.map((page, i) => {
        const { format, width, height } = page
        const written = pages.get(page)
        if (written === undefined) throw new Error(`page ${i + 1} of ${name} was not rendered`)
        return { output: { name, page: i + 1 }, image: { format, width, height, file: written, exact: written } }
      })
    },
  }
}

/** Runs work that encodes an image without loss, one after the other, when there is memory for the file. */
function oneAtATime() {
  const queue = createFairQueue({ slots: 1 })
  return <Value>(image: EncodedValue, { signal, reserve }: EncodeContext, work: () => Promise<Value>) =>
    queue.run({ signal }, async () => {
      // Noise doesn't get smaller.
      const release = await reserve?.(pixelsOf(image) * (image.hasAlpha ? 4 : 3), signal)
      return work().finally(release)
    })
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
