/** The door to AI providers: their own origin with their key, result files from public hosts without it; bounded in size and time. */

export interface ProviderHttp {
  /**
   * As the global `fetch`, for libraries: same checks and bounds, the body counted as it comes. Credentials (headers that
   * `credentials` names) are taken off whatever does not go to the provider's own origins.
   */
  fetch: typeof fetch
  /** One request, never repeated, redirects not followed; the body whole. Gives every status. Throws `HttpProblem`. */
  request(request: ProviderRequest): Promise<ProviderResponse>
  /** A result file: GET without credentials, redirects followed with every hop checked, repeated on trouble. Throws `HttpProblem`. */
  download(url: string, signal: AbortSignal): Promise<Buffer>
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Sent as JSON, as a form of several parts, or as it is. */
  json?: unknown
  form?: FormData
  body?: Uint8Array
  /** Default: that of the phase. */
  timeoutSeconds?: number
  signal: AbortSignal
}

export interface ProviderResponse {
  status: number
  headers: Headers
  bytes: Buffer
  /** Undefined where the body is no JSON. */
  json(): unknown
  text(): string
}

/**
 * Why there is no response. `isUnsent`: the request was certainly not carried out, because no connection was made, or it
 * was refused before one was.
 */
export class HttpProblem extends Error {
  readonly kind: 'unreachable' | 'broken' | 'timeout' | 'too_large' | 'refused_address'
  readonly isUnsent: boolean

  constructor(kind: HttpProblem['kind'], isUnsent: boolean, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'HttpProblem'
    this.kind = kind
    this.isUnsent = isUnsent
  }
}
