/** The messages between the service and its executor, and errors in a form that can be sent. */
import type { Config } from '../config/config.ts'
import type { Execution } from '../domain/executions/execution.ts'
import type { ExecutionNotice } from '../domain/executions/execution-notice.ts'
import type { RenderedImage, Rendition } from '../domain/images/rendition.ts'
import { asFault, type ErrorCode, Fault, type FaultDetails } from '../errors.ts'
import type { Reexecute, Reexecution } from '../services/credentials/reexecutions.ts'
import type { RenderSource } from '../services/images/image-renderer.ts'
import type { Comparisons } from '../services/workflows/comparisons.ts'
import type { DraftPreview, PreviewRequest } from '../services/workflows/draft-previews.ts'

/** The jobs that the service sends: arguments and result. Each can run again after a crash. */
export interface Jobs {
  render: { args: { image: RenderSource; rendition: Rendition | undefined }; result: RenderedImage }
  reexecute: {
    args: { account: string; output: Parameters<Reexecute>[1] }
    result: Reexecution
  }
  compare: {
    args: { account: string; workflowId: string; document: unknown; ifVersion?: number | undefined }
    result: Awaited<ReturnType<Comparisons['preview']>>
  }
  previewDraft: { args: { account: string; workflowId: string; request: PreviewRequest }; result: DraftPreview }
  metrics: { args: object; result: object[] }
}

export type Job = { [Name in keyof Jobs]: { name: Name; args: Jobs[Name]['args'] } }[keyof Jobs]

export type ToExecutor =
  /** The first message. `workerId`: the same for each executor that replaces a lost one. `claims`: false if it only does jobs. */
  | { kind: 'open'; config: Config; workerId: string; claims: boolean }
  /** This execution was recorded as running for the executor. */
  | { kind: 'begin'; execution: Execution }
  | { kind: 'stop'; graceSeconds: number }
  | { kind: 'close' }
  | { kind: 'job'; id: number; job: Job }
  | { kind: 'abort'; id: number }
  | { kind: 'ping' }
  | { kind: 'notice'; notice: ExecutionNotice }

export type FromExecutor =
  | { kind: 'opened' }
  /** It claims executions, and lost ones are recovered. */
  | { kind: 'claims' }
  /** The number of executions that it runs and has claimed itself. */
  | { kind: 'claimed'; count: number }
  | { kind: 'stopped' }
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'fault'; id: number; fault: SentFault }
  | { kind: 'notice'; notice: ExecutionNotice }
  | { kind: 'pong' }

interface SentFault {
  code: ErrorCode
  message: string
  details: FaultDetails
  /** Error for the log. */
  cause: { name: string; message: string; stack: string } | undefined
}

export function toSent(error: unknown): SentFault {
  const { code, message, details, cause } = asFault(error)
  const known = cause instanceof Error ? cause : undefined
  const sentCause = known && { name: known.name, message: known.message, stack: known.stack ?? '' }
  return { code, message, details, cause: sentCause }
}

export function fromSent({ code, message, details, cause }: SentFault): Fault {
  const original = cause && Object.assign(new Error(cause.message), { name: cause.name, stack: cause.stack })
  return new Fault(code, message, details, { cause: original })
}
