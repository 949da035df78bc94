import type { Frame } from '../../../../shared/frames.ts'
import { ApiError, type Issue } from '../../api/client.ts'

/** Why a node has no live image. */
export type PreviewProblem =
  /** These nodes call a model that has no cached result, or take too long: only a run shows the change. */
  { kind: 'run'; nodes: readonly string[] } | { kind: 'invalid'; message: string }

/** Undefined if no live image can be expected, for example without the permission to execute. */
export function problemOf(error: unknown): PreviewProblem | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'execution_required') return { kind: 'run', nodes: error.details.nodes as string[] }
  const [issue] = error.issues
  return issue && { kind: 'invalid', message: sentenceOf(issue) }
}

/** Issues such as "is required" have their path as the subject: `logo.overlay is required`. */
function sentenceOf({ path, message }: Issue): string {
  const subject = path.replace(/^nodes\./, '').replace(/^([^.]+)\.(?:params|inputs)\./, '$1.')
  return /^[a-z]/.test(message) ? `${subject} ${message}` : message
}

/** A rectangle outside of its image has a handle, too. */
export function failedFrames(error: unknown): { frames?: readonly Frame[] } {
  const frames = error instanceof ApiError ? error.details.frames : undefined
  return Array.isArray(frames) ? { frames } : {}
}
