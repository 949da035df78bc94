/** What the AI SDK throws for an answer that is no success (`APICallError`), read by its shape. */

export interface ApiError {
  message: string
  status: number | undefined
  /** Its text; empty where there was none. */
  body: string
  /** The provider's own word for what is wrong. */
  code: string | undefined
  requestId: string | undefined
  header(name: string): string | undefined
}

/** Words by which providers call content that they will not work on. */
export const moderationCodes =
  /moderation_blocked|content_policy_violation|content_filter|contentfilter|ResponsibleAIPolicyViolation|safety_violations|image_generation_user_error.*safety/i

/** Words by which they call an account without money; a 429 that no waiting helps. */
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
  return [code, type, status].find((each): each is string => typeof each === 'string' && each !== '')
}
