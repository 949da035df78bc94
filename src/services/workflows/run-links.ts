/** Run links: the page of one workflow, and its executions, for people who have only the key of the link. */
import { type Caller, keyIdOf } from '../../domain/accounts/key.ts'
import { type RateCounter, rateWindowSeconds } from '../../domain/accounts/rate.ts'
import { type Execution, KeyBusy } from '../../domain/executions/execution.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { Image, StagedBlob } from '../../domain/images/image.ts'
import type { WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { Fault, invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { StatusWait } from '../event-streams.ts'
import type { Executions } from '../executions/executions.ts'
import type { Images } from '../images/images.ts'
import { findNewest } from './newest-version.ts'

/** The public part of a workflow: nothing of its nodes. */
export interface RunLinkPage {
  document: Pick<WorkflowDocument, 'name' | 'description' | 'parameters' | 'examples'>
  /** Undefined if the link has none, or the image was deleted. */
  exampleImage: Image | undefined
  usesModels: boolean
}

/** A limit of the link itself, not of its account. */
export class RunLinkLimit extends Fault {
  constructor(message: string, limit: number, retryAfterSeconds: number) {
    super('rate_limited', `${message} Retry in ${retryAfterSeconds} s.`, { limit, retryAfterSeconds })
  }
}

/** Every method throws `not_found` if the workflow was deleted. */
export interface RunLinks {
  page(link: Caller): Promise<RunLinkPage>
  /**
   * Executes the newest version. Throws as `Executions.start` does, and `RunLinkLimit` if the link has another execution that has not ended, or has
   * started its maximum in this minute.
   */
  start(link: Caller, parameters: Record<string, unknown>, once?: IdempotentCreate): Promise<Execution>
  /** An execution that the link has started. Throws `not_found`. */
  find(link: Caller, executionId: string): Promise<Execution>
  /** Waits for its end, as `Executions.ended` does. The waits of a link are counted apart from those of its account. */
  ended(link: Caller, executionId: string, wait: StatusWait): Promise<void>
  /** Ends an execution that the link has started, as `Executions.cancel` does. Throws `not_found`. */
  cancel(link: Caller, executionId: string): Promise<Execution>
  /** Stores an image for a parameter, for a limited time. Throws `RunLinkLimit` above the uploads of 24 hours, and `invalid_request` for a file that is too large. */
  upload(
    link: Caller,
    file: StagedBlob & { fileName: string },
    options: { once: IdempotentCreate | undefined; signal: AbortSignal },
  ): Promise<Image>
}

interface Dependencies {
  workflows: Pick<WorkflowStore, 'find' | 'findVersion' | 'uses'>
  executions: Pick<Executions, 'start' | 'find' | 'ended' | 'cancel'>
  images: Pick<Images, 'find' | 'store'>
  /** Whether the operation with this id calls AI models. */
  callsModels(operation: string): boolean
  counter: RateCounter
}

/** A workflow can use others, and these others: as deep as a document can be checked. */
const usesDepthMax = 20
/** Most executions take less. */
const busySeconds = 3
const windows = { minute: rateWindowSeconds, day: 86_400 }

export function createRunLinks({ workflows, executions, images, callsModels, counter }: Dependencies): RunLinks {
  async function find(link: Caller, executionId: string): Promise<Execution> {
    const execution = await executions.find(link.account.id, executionId)
    if (execution.keyId !== link.key.id) throw notFound('execution', executionId)
    return execution
  }

  async function usesModels(document: WorkflowDocument, id: string, version: number, depth = 0): Promise<boolean> {
    const types = Object.values(document.nodes).map(({ type }) => type)
    if (types.some(callsModels)) return true
    if (!types.includes('workflow') || depth === usesDepthMax) return false
    for (const use of await workflows.uses(id, version)) {
      const used = await workflows.findVersion(use.workflowId, use.version)
      if (used && (await usesModels(used.document, use.workflowId, use.version, depth + 1))) return true
    }
    return false
  }

  /** Counts one action of the link in this minute or these 24 hours. */
  async function count(link: Caller, action: string, period: keyof typeof windows, limit: number): Promise<void> {
    const windowSeconds = windows[period]
    const { used, resetsInMs } = await counter.count(`${keyIdOf(link)}:${action}:${period}`, limit, windowSeconds)
    if (used <= limit) return
    const seconds = Math.min(windowSeconds, Math.max(1, Math.ceil(resetsInMs / 1_000)))
    throw new RunLinkLimit(`The run link has reached its limit of ${limit} ${action} per ${period}.`, limit, seconds)
  }

  return {
    async page({ account, key: { workflowId, exampleImageId } }) {
      const { workflow, document } = await findNewest(workflows, account.id, workflowId ?? '')
      const image = exampleImageId === null ? undefined : await images.find(account.id, exampleImageId).catch(orNone)
      const uses = await usesModels(document, workflow.id, workflow.version)
      return { document, exampleImage: image, usesModels: uses }
    },

    async start(link, parameters, once) {
      const { account, key } = link
      if (once?.createdId === undefined)
        await count(link, 'executions', 'minute', key.executionsPerMinute ?? limits.runLinkExecutionsPerMinuteDefault)
      const by = { accountId: account.id, keyId: key.id }
      return executions
        .start(by, key.workflowId ?? '', parameters, once, { isOnlyOfKey: true })
        .catch((error: unknown) => {
          if (!(error instanceof KeyBusy)) throw error
          const message = 'The run link runs one execution at a time, and another one has not ended.'
          throw new RunLinkLimit(message, 1, busySeconds)
        })
    },

    find,

    async ended(link, executionId, wait) {
      await find(link, executionId)
      await executions.ended(link.account.id, executionId, wait, keyIdOf(link))
    },

    async cancel(link, executionId) {
      await find(link, executionId)
      return executions.cancel(link.account.id, executionId)
    },

    async upload(link, file, { once, signal }) {
      const refuse = async (error: unknown) => {
        await file.discard()
        throw error
      }
      const bytesMax = limits.runLinkUploadBytesMax
      if (file.bytes > bytesMax)
        return refuse(invalidRequest([{ path: 'file', message: `must have at most ${bytesMax / 1_048_576} MB` }]))
      if (once?.createdId === undefined)
        await count(link, 'uploads', 'day', limits.runLinkUploadsPerDayMax).catch(refuse)
      const expiresIn = limits.runLinkUploadSeconds
      return images.store(link.account.id, file, { fileName: file.fileName, expiresIn, once, signal })
    },
  }
}

function orNone(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined
  throw error
}
