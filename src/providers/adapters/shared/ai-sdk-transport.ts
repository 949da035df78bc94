/** The `fetch` of the AI SDK for one call: sends a single request and records the response. */
import type { ProviderContext } from '../../define.ts'

export interface SentState {
  /** Whether the request was sent: before that, nothing can have been carried out. */
  isSent: boolean
  /** Status of the response; undefined until it arrives. */
  status?: number
  headers?: Headers
  /** The text of an error response, or of a response too short for an image: it may have the reason. */
  text?: string
  /** Whether the body starts and ends like JSON. */
  isJson?: boolean
  requestId?: string
}

export interface Transport {
  fetch: typeof fetch
  sentState: SentState
}

export function createTransport({ http, signal }: Pick<ProviderContext, 'http' | 'signal'>): Transport {
  const sentState: SentState = { isSent: false }
  return {
    sentState,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if ((init?.method ?? 'GET') === 'GET') {
        // A result file: downloaded without our headers, and retried.
        return new Response(new Uint8Array(await http.download(url, signal)))
      }
      // The SDK may send a second request, for example if a Google model stopped early: that would be billed, too.
      if (sentState.isSent) throw new Error('a second request is not sent')
      sentState.isSent = true
      const response = await http.fetch(input, { ...init, signal })
      sentState.status = response.status
      sentState.headers = response.headers
      const requestId = requestIdOf(response.headers)
      if (requestId !== undefined) sentState.requestId = requestId
      const bytes = Buffer.from(await response.clone().arrayBuffer())
      if (!response.ok || bytes.length < imageBytesMin) sentState.text = bytes.toString()
      sentState.isJson =
        /^\s*[{[]/.test(bytes.toString('latin1', 0, edge)) &&
        /[}\]]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - edge)))
      return response
    },
  }
}

const imageBytesMin = 4096
/** Bytes to read at both ends, including white space. */
const edge = 256

function requestIdOf(headers: Headers): string | undefined {
  for (const name of ['x-request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id']) {
    const id = headers.get(name)?.trim()
    if (id && /^[\w.:~/+=-]{1,200}$/.test(id)) return id
  }
  return undefined
}
