/** Errors of the routes of run links, in words for people who know nothing of the workflow and its account. */
import { parameterLabel } from '../../../shared/parameter-label.ts'
import { asFault, Fault, type Issue, issueSentence } from '../../errors.ts'
import { RunLinkLimit } from '../../services/workflows/run-links.ts'
import { clientDisconnected } from './framework-fault.ts'

/** The message of a failure that the person with the link can't correct. `reference`: what its owner can look up, such as `request req_1`. */
export function failedText(reference: string): string {
  return `This workflow could not make an image. Report it to the person who sent you this link: ${reference}.`
}

/**
 * The fault without ids, nodes, numbers and names of the account. Issues of values and files that the person has sent keep their messages, because
 * the person can correct them. The cause is for the log: it is the error if the text has the id of the request.
 */
export function runLinkFault(error: unknown, requestId: string): Fault {
  if (error instanceof RunLinkLimit || error === clientDisconnected) return error as Fault
  const { code, details, cause } = asFault(error)
  const options = { cause }
  const failed = failedText(`request ${requestId}`)
  const { retryAfterSeconds } = details
  switch (code) {
    case 'invalid_request': {
      const issues = sentIssues(details.issues ?? [])
      if (issues.length === 0)
        return new Fault(code, failed, { issues: [{ path: '', message: failed }] }, { cause: error })
      return new Fault(code, sentIssuesText(issues), { issues })
    }
    case 'not_found':
      return new Fault(code, 'The workflow of this link, or this execution, no longer exists.')
    case 'forbidden':
      return new Fault(code, unusableText, { permission: null })
    case 'rate_limited':
      return new Fault(code, 'Too much is going on at the moment. Try again soon.', { retryAfterSeconds })
    case 'unavailable':
      return new Fault(code, 'The service is busy. Try again soon.', {}, options)
    default:
      return new Fault(code, failed, {}, { cause: cause ?? error })
  }
}

export const unusableText = 'This link can’t be used at the moment. Ask the person who shared it.'

/** Issues of parameters and files in a request. Those of a document have `parameters`, or the number of a declaration: `parameters.0.default`. */
export function sentIssues(issues: readonly Issue[]): Issue[] {
  return issues.filter(({ path }) => path === 'file' || /^parameters\.[A-Za-z]/.test(path))
}

/** The first issue, with the label of its parameter in place of its path. */
export function sentIssuesText([first, ...others]: readonly Issue[]): string {
  if (first === undefined) return ''
  const [root = '', name = root, ...rest] = first.path.split('.')
  const label = parameterLabel(name)
  const path = rest.length === 0 ? label : `${label} (${rest.join('.')})`
  const more = others.length === 0 ? '' : ` (${others.length} more)`
  return `${issueSentence({ ...first, path })}${more}`
}
