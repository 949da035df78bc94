/** The `fetch` that the AI SDK is given for one call: it sends one request and no more, and remembers how it was answered. */
import type { ProviderContext } from '../define.ts'

export interface Seen {
  /** Whether the request was handed on: before that, nothing can have been carried out. */
  isSent: boolean
  /** Of its answer; undefined while there is none. */
  status?: number
  headers?: Headers
  /** Of an answer that is no success, or too short to hold a picture: it may say why there is none. */
  text?: string
  /** Whether its body is JSON from its beginning to its end, as far as those two tell. */
  isJson?: boolean
  requestId?: string
}

export interface Wire {
  fetch: typeof fetch
  seen: Seen
}

export function wireTo({ http, signal }: Pick<ProviderContext, 'http' | 'signal'>): Wire {
  const seen: Seen = { isSent: false }
  return {
    seen,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if ((init?.method ?? 'GET') === 'GET') {
        // A result that the answer points to: no header of ours goes there, and it is asked for again on trouble.
        return new Response(new Uint8Array(await http.download(url, signal)))
      }
      // The SDK goes on by itself where a model of Google stopped half-way, for instance: that would be paid as well.
      if (seen.isSent) throw new Error('a second request is not sent')
      seen.isSent = true
      const response = await http.fetch(input, { ...init, signal })
      seen.status = response.status
      seen.headers = response.headers
      const requestId = requestIdOf(response.headers)
      if (requestId !== undefined) seen.requestId = requestId
      const bytes = Buffer.from(await response.clone().arrayBuffer())
      if (!response.ok || bytes.length < pictureBytesMin) seen.text = bytes.toString()
      seen.isJson =
        /^\s*[{[]/.test(bytes.toString('latin1', 0, edge)) &&
        /[}\]]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - edge)))
      return response
    },
  }
}

const pictureBytesMin = 4096
/** Bytes at either end, with whatever white space is there. */
const edge = 256

function requestIdOf(headers: Headers): string | undefined {
  for (const name of ['x-request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id']) {
    const id = headers.get(name)?.trim()
    if (id && /^[\w.:~/+=-]{1,200}$/.test(id)) return id
  }
  return undefined
}
