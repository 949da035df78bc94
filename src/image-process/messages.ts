/** The messages between the service and its image process, and errors in a form that can be sent. */
import type { Config } from '../config/config.ts'
import type { ExecutionNotice } from '../domain/execution-notice.ts'
import type { ImageFacts } from '../domain/image.ts'
import type { RenderedImage, Rendition } from '../domain/rendition.ts'
import { asFault, type ErrorCode, Fault, type FaultDetails } from '../errors.ts'
import type { Comparisons } from '../services/comparisons.ts'
import type { Reexecute, Reexecution } from '../services/reexecutions.ts'
import type { RenderSource } from '../services/render-image.ts'

/** The jobs that the service sends: arguments and result. */
export interface Jobs {
  inspect: { args: { file: string; account: string }; result: ImageFacts }
  render: { args: { image: RenderSource; rendition: Rendition | undefined }; result: RenderedImage }
  reexecute: {
    args: { account: string; output: Parameters<Reexecute>[1] }
    result: Reexecution
  }
  compare: {
    args: { account: string; workflowId: string; document: unknown; ifVersion?: number | undefined }
    result: Awaited<ReturnType<Comparisons['preview']>>
  }
}

export type Job = { [Name in keyof Jobs]: { name: Name; args: Jobs[Name]['args'] } }[keyof Jobs]

export type ToImageProcess =
  /** The first message. `workerId`: the same for each process that replaces a lost one. */
  | { kind: 'open'; config: Config; workerId: string }
  /** Executes from now on. */
  | { kind: 'work' }
  | { kind: 'stop-work'; graceSeconds: number }
  | { kind: 'close' }
  | { kind: 'job'; id: number; job: Job }
  | { kind: 'abort'; id: number }
  | { kind: 'ping' }
  | { kind: 'notice'; notice: ExecutionNotice }

export type FromImageProcess =
  | { kind: 'opened' }
  | { kind: 'works' }
  | { kind: 'stopped' }
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'fault'; id: number; fault: SentFault }
  | { kind: 'notice'; notice: ExecutionNotice }
  | { kind: 'pong' }

interface SentFault {
  code: ErrorCode
  message: string
  details: FaultDetails
  /** For the log. */
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
