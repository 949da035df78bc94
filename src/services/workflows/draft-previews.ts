/**
 * Previews of drafts: the image of one node of a document that is being edited. A preview is a run of the engine that stores and records
 * nothing, and calls no model: results of models come from the cache.
 */
import type { Frame } from '../../../shared/frames.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Step, Variations } from '../../domain/executions/execution.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import type { RenderedImage, Rendition } from '../../domain/images/rendition.ts'
import type { DraftDocument } from '../../domain/workflows/draft.ts'
import type { StepReuse } from '../../engine/cache/ports.ts'
import { predictCacheHits } from '../../engine/cache/predict-cache-hits.ts'
import type { Plan } from '../../engine/plan/plan.ts'
import type { Encode } from '../../engine/run/output-ports.ts'
import { type RunOptions, runPlan } from '../../engine/run/run.ts'
import { Fault, failure, type Issue, invalidRequest } from '../../errors.ts'
import { planOfFile } from '../credentials/repeatable-steps.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import type { PreviewMemory } from '../results/preview-memory.ts'
import type { StepReuseFor } from '../results/step-reuse.ts'
import type { RunnableDrafts } from './runnable-drafts.ts'

export interface DraftPreviews {
  /**
   * Throws `invalid_request` with the problems of the part that the node needs, also those that only running it shows;
   * `execution_required` if a model would be called, or if it takes too long; `rate_limited` if the account has too many previews in
   * progress; `unavailable` if it can't start in time. Rejects with the reason of the signal.
   */
  render(accountId: string, workflowId: string, request: PreviewRequest, signal?: AbortSignal): Promise<DraftPreview>
  /** Ends all previews and rejects new ones. */
  close(): void
}

export interface PreviewRequest {
  /** Default: the stored draft, or the newest version. */
  document?: DraftDocument | undefined
  /** Default: the node of the output. */
  node?: string | undefined
  parameters?: Record<string, unknown> | undefined
  variations?: Variations | undefined
  /** Pixels of the longer side. Default: the size of the image. */
  sideMax?: number | undefined
  quality: PreviewQuality
  /** Whether the frames of a text report the positions of a caret. */
  carets?: boolean | undefined
}

/** `exact`: the pixels of an execution, without loss. `fast`: JPEG, or WebP if the image can be transparent; the first frame of an animation. */
export const previewQualities = ['exact', 'fast'] as const
export type PreviewQuality = (typeof previewQualities)[number]

export interface DraftPreview {
  node: string
  bytes: Buffer
  format: ImageFormat
  /** Pixels of the file. */
  width: number
  height: number
  /** Pixels of the image of the node. */
  imageWidth: number
  imageHeight: number
  /** Areas that the node drew or read. Undefined if its operation reports none. */
  frames?: readonly Frame[] | undefined
}

type EncodedValue = Parameters<Encode>[0]
type EncodeContext = Parameters<Encode>[2]

interface Dependencies {
  runnableDrafts: RunnableDrafts
  requestParameters: Pick<RequestParameters, 'plan'>
  stepReuse: StepReuseFor
  memory: PreviewMemory
  encode: Encode
  /** Another size and format of an image. */
  render(image: EncodedValue, rendition: Rendition, context: EncodeContext): Promise<RenderedImage>
  processes: RunOptions['processes']
  pixels: RunOptions['pixels']
  pixelsMax: number
  clock: Clock
  /** Previews at the same time. */
  runningMax: number
  /** Previews of an account that run or wait. */
  perAccountMax: number
  /** Time to wait, and again to run. */
  seconds: number
  /** Receives unexpected failures with their cause. */
  onFailure(fault: Fault): void
}

export function createDraftPreviews(dependencies: Dependencies): DraftPreviews {
  const { runnableDrafts, requestParameters, stepReuse, memory, runningMax, perAccountMax, seconds } = dependencies
  const stop = new AbortController()
  const accepted = createFairQueue({ perAccount: perAccountMax })
  // One of an account at a time: they share results in memory, and the end of one must not end the decoding for another.
  const slots = createFairQueue({ slots: runningMax, perAccount: 1 })

  async function render(
    accountId: string,
    workflowId: string,
    { document, node, parameters = {}, variations, ...wanted }: PreviewRequest,
    signal: AbortSignal,
  ): Promise<DraftPreview> {
    const draft = await runnableDrafts.take(accountId, workflowId, { document, node, variations, signal })
    const { workflow, projectId, mapIssue } = draft
    const planned = await requestParameters.plan({ accountId, projectId }, workflow, parameters, {
      storesNothing: true,
    })
    if (planned.issues) throw invalidRequest(planned.issues.map(mapIssue))
    const plan = planOfFile(planned.plan, undefined)
    if (plan === undefined) throw new Error('the plan has no primary output')
    const { open, identify } = memory.sourcesOf(accountId)
    const { usableFonts, ...reuse } = await stepReuse(accountId, variations && { workflowId, variations })
    const read: StepReuse = {
      cache: memory.cacheOf(accountId, reuse.cache),
      keyContext: { ...reuse.keyContext, identify: (source) => identify(accountId, source) },
    }
    const shown = node ?? workflow.output.node
    let image: EncodedValue | undefined
    let hasNeededModel = false
    const result = await runPlan(plan, {
      ...dependencies,
      signal,
      account: accountId,
      timeoutSeconds: seconds,
      reuse: read,
      open: (source, reserve) => open(accountId, source, signal, { reserve }),
      fonts: usableFonts,
      async invokeModel() {
        hasNeededModel = true
        throw failure('cancelled', 'A preview calls no model.')
      },
      encode(value, _, context) {
        image = value
        return encoded(value, wanted, context)
      },
      caretsOf: wanted.carets ? shown : undefined,
      onProgress: () => undefined,
    })
    signal.throwIfAborted()
    if (result.fault) {
      if (hasNeededModel) throw callsModel(await modelNodes(plan, read, result.fault), workflowId)
      throw faultOf(result.fault, shown, result.steps)
    }
    const { bytes, format, width, height } = result.output
    if (bytes === undefined || image === undefined) throw new Error('a preview was not encoded')
    const reported = result.steps.find((step) => step.node === shown)?.frames
    // A result in memory can be of a request with carets.
    const frames = wanted.carets ? reported : reported?.map(({ text: _, ...frame }) => frame)
    return { node: shown, frames, bytes, format, width, height, imageWidth: image.width, imageHeight: image.height }
  }

  function encoded(
    image: EncodedValue,
    { sideMax, quality }: Pick<PreviewRequest, 'sideMax' | 'quality'>,
    context: EncodeContext,
  ): ReturnType<Encode> {
    const isExact = quality === 'exact'
    const fits = sideMax === undefined || Math.max(image.width, image.height) <= sideMax
    // Compressed as little as possible: the file is read once, and the time counts.
    if (isExact && fits)
      return dependencies.encode(
        image,
        { format: image.animation ? 'webp' : 'png', lossless: true, effort: 'low' },
        context,
      )
    const format = isExact ? 'png' : image.hasAlpha ? 'webp' : 'jpeg'
    const size = sideMax === undefined ? {} : { width: sideMax, height: sideMax }
    return dependencies.render(
      image,
      { ...size, fit: 'inside', format, ...(!isExact && { quality: fastQuality }), effort: 'low' },
      context,
    ) as ReturnType<Encode>
  }

  return {
    async render(accountId, workflowId, request, caller) {
      const signal = caller ? AbortSignal.any([stop.signal, caller]) : stop.signal
      signal.throwIfAborted()
      const leave = accepted.tryEnter({ account: accountId })
      if (leave === undefined) throw tooMany(perAccountMax)
      try {
        const deadline = { seconds, error: () => new Fault('unavailable', 'Other previews take long. Retry later.') }
        return await slots.run({ account: accountId, signal, deadline }, () =>
          render(accountId, workflowId, request, signal),
        )
      } catch (error) {
        if (error instanceof Fault && error.details.reason === 'internal') dependencies.onFailure(error)
        throw error
      } finally {
        leave()
      }
    },

    close: () => stop.abort(new Fault('unavailable', 'The service is shutting down. Retry later.')),
  }
}

/** A draft picture of a photo then has about 80 kB, and takes 3 ms at 1200 x 630. */
const fastQuality = 80

/** The steps that would call a model. */
async function modelNodes(plan: Plan, reuse: StepReuse, fault: Fault): Promise<string[]> {
  const cached = await predictCacheHits(plan, reuse)
  const nodes = plan.steps.flatMap(({ node, action }) =>
    node.operation.usesModel && (action === 'run' || action === 'decide') && !cached.has(node.id) ? node.id : [],
  )
  return nodes.length > 0 ? nodes : [String(fault.details.node)]
}

function callsModel(nodes: string[], workflowId: string): Fault {
  const [first] = nodes
  const others = nodes.length > 1 ? ` and ${nodes.length - 1} more` : ''
  const message = `Node "${first}"${others} calls an AI model, and its result is not cached. A preview calls no model: execute the draft with "variations" (POST /v1/workflows/${workflowId}/draft/execute), then request the preview with the same variations.`
  return new Fault('execution_required', message, { nodes })
}

/** The user's mistakes have the path of their node, like those that validation finds. Those of the shown node also have its frames. */
function faultOf(fault: Fault, shown: string, steps: readonly Step[]): Fault {
  const { reason, node = shown } = fault.details
  switch (reason) {
    case 'input_invalid':
    case 'input_not_found':
    case 'limit_exceeded':
      return invalidRequest([issueOf(String(node), fault)], framesOf(steps, shown))
    case 'timeout': {
      const unfinished = steps.flatMap((step) => (step.status === 'cancelled' ? step.node : []))
      return new Fault('execution_required', `The preview takes too long. Execute the draft instead.`, {
        nodes: unfinished.length > 0 ? unfinished : [String(node)],
      })
    }
    case 'provider_unavailable':
      return new Fault('unavailable', fault.message, {}, { cause: fault })
    default:
      return fault
  }
}

function framesOf(steps: readonly Step[], shown: string): { frames?: readonly Frame[] } {
  const { frames } = steps.find((step) => step.node === shown) ?? {}
  return frames ? { frames } : {}
}

function issueOf(node: string, { message }: Fault): Issue {
  return { path: `nodes.${node}`, message: `can't be executed: ${message}` }
}

function tooMany(limit: number): Fault {
  const message = `The account has ${limit} previews in progress, the maximum. Wait for one to end, or abort its request.`
  return new Fault('rate_limited', message, { limit, retryAfterSeconds: 1 })
}
