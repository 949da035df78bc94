/** Errors of the OpenAI-compatible API, in the form that its clients read. */
import Type from 'typebox'
import { named } from '../../domain/named-schema.ts'
import { type ErrorCode, errors, type Fault, invalidRequest } from '../../errors.ts'
import type { RouteResponse } from '../define-route.ts'

/** Its routes, and unknown paths below it. */
export function isOpenAiPath(path: string): boolean {
  return path.startsWith('/openai/')
}

const types = ['invalid_request_error', 'rate_limit_error', 'server_error'] as const

export const OpenAiErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String({ description: 'Text for people, which can change in any release.' }),
        type: Type.Enum([...types]),
        param: Type.Union([Type.String(), Type.Null()], { description: 'The first invalid field of the request.' }),
        code: Type.Enum(Object.keys(errors) as ErrorCode[]),
      },
      named('OpenAiErrorBody'),
    ),
  },
  named('OpenAiError'),
)

/** Clients of OpenAI repeat a request after a 5xx, unless this header is `false`. */
export const shouldRetryHeader = 'X-Should-Retry'

/** `problem`: the error in the envelope of the other routes. */
export function openAiProblem(fault: Fault, problem: Required<RouteResponse>): Required<RouteResponse> {
  const { code, details } = fault
  const { issues = [] } = details
  const param = details.param ?? issues[0]?.path
  // After these errors, a repeated request can cost money again, and has the same problem.
  const shouldRetry = details.shouldRetry ?? (problem.status === 500 ? false : undefined)
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      ...(shouldRetry === undefined ? {} : { [shouldRetryHeader.toLowerCase()]: String(shouldRetry) }),
    },
    body: { error: { message: messageOf(fault), type: typeOf(problem.status), param: param || null, code } },
  }
}

const issuesShown = 5

/** The message with the first issues, because errors of this API have no field for them. */
function messageOf({ code, message, details: { issues = [] } }: Fault): string {
  if (code !== 'invalid_request' || issues.length < 2) return message
  return issues
    .slice(0, issuesShown)
    .map((issue) => invalidRequest([issue]).message)
    .join(' ')
}

function typeOf(status: number): (typeof types)[number] {
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
