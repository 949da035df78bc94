/** Errors in words for a person who has only the link. */
import { counted } from '../../../../shared/text.ts'
import { type Run, RunLinkError } from '../../api/run-link.ts'

const owner = 'Ask the person who shared it.'

/** Why the page can't be shown, or a run can't start. */
export function plainError(error: unknown): string {
  if (!(error instanceof RunLinkError)) return 'Something went wrong on this page. Reload it, and try again.'
  const { status, retryAfter, message, requestId } = error
  if (status === 0) return 'The service can’t be reached. Check your connection, and try again.'
  if (status === 401) return `This link has expired or was withdrawn. ${owner}`
  if (status === 403) return `This link can’t be used at the moment. ${owner}`
  if (status === 404) return `The workflow of this link no longer exists. ${owner}`
  if (status === 429) return waitText(retryAfter ?? 5)
  if (status === 400) return message
  if (status === 500 && requestId !== undefined)
    return `Something went wrong. Report it to the person who sent you this link: request ${requestId}.`
  return 'The service is busy. Try again in a minute.'
}

export function waitText(seconds: number): string {
  return `There are too many runs with this link. You can run again in ${timeText(seconds)}.`
}

/** The run continues. */
export function cancelError(error: unknown): string {
  const isRefused = error instanceof RunLinkError && error.status === 429
  const reason = isRefused ? `Try again in ${timeText(error.retryAfter ?? 5)}.` : plainError(error)
  return `The run was not cancelled. ${reason}`
}

/** The limits of a link are by minute or by day. */
function timeText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds <= 120) return counted(seconds, 'second')
  return minutes <= 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

/** The issue of a value or a file as a sentence. */
export function problemText(message: string): string {
  const text = /[.?!]$/.test(message) ? message : `${message}.`
  // Messages about files are sentences.
  return /^[\p{Lu}“]/u.test(text) ? text : `This value ${text}`
}

/** Why a run failed, and the time when a budget is available again. */
export function failureText({ error }: Run, now: Date): string {
  if (error === undefined) return ''
  const again = error.budget === undefined ? undefined : budgetTime(error.budget, now)
  if (again === undefined) return error.message
  const time = again.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return `${error.message} You can run again after ${time}.`
}

/** Days and months of budgets are in UTC. Undefined for a budget that has no period. */
export function budgetTime(budget: string, now: Date): Date | undefined {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  if (budget === 'key day') return new Date(Date.UTC(year, month, now.getUTCDate() + 1))
  if (budget === 'key month' || budget === 'account') return new Date(Date.UTC(year, month + 1, 1))
  return undefined
}
