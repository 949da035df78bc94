/** Reads the error that the AI SDK throws for error responses (`APICallError`), by its shape. */

export interface ApiError {
  message: string
  status: number | undefined
  /** The text of the response, or an empty string. */
  body: string
  /** The error code of the provider. */
  code: string | undefined
  requestId: string | undefined
  header(name: string): string | undefined
}

/** Error codes for content that a provider refuses. */
export const moderationCodes =
  /moderation_blocked|content_policy_violation|content_filter|contentfilter|ResponsibleAIPolicyViolation|safety_violations|image_generation_user_error.*safety/i

/** Error codes for an account without balance: a 429 that waiting doesn't solve. */
export const quotaCodes =
  /insufficient_quota|billing_hard_limit|billing_not_active|insufficient_credits|exhausted.balance/i

export function apiErrorOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || !('responseBody' in error || 'url' in error)) {
    return undefined
  }
  const { statusCode, responseHeaders, responseBody } = error as {
    statusCode?: unknown
    responseHeaders?: Record<string, string>
    responseBody?: unknown
  }
  const body = typeof responseBody === 'string' ? responseBody : ''
  const header = (name: string) => responseHeaders?.[name]
  return {
    message: error.message,
    status: typeof statusCode === 'number' ? statusCode : undefined,
    body,
    code: wordOf(body),
    requestId: header('x-request-id') ?? header('request-id') ?? header('apim-request-id'),
    header,
  }
}

/** The `code` of an error of Node, or of a library. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** `error.code`, `error.type` or `error.status` of a JSON body. */
function wordOf(body: string): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const { error = parsed } = (parsed ?? {}) as { error?: unknown }
  const { code, type, status } = (typeof error === 'object' ? (error ?? {}) : {}) as Record<string, unknown>
  return [code, type, status].find((text): text is string => typeof text === 'string' && text !== '')
}
