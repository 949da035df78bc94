/** The body of a request as a stream, for files that are too large for memory. */
import { show } from '../../../shared/text.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import type { Route } from '../define-route.ts'
import { anyOf, mediaTypesOf } from './media-types.ts'

interface Incoming {
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

interface ReadableBody extends AsyncIterable<Uint8Array> {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** Throws `invalid_request` if it has another media type or is compressed. */
export function streamOf(
  { headers, body }: Incoming,
  stream: NonNullable<Route['stream']>,
): { mediaType: string; body: AsyncIterable<Uint8Array> } {
  const issues: Issue[] = []
  const [type = ''] = String(headers['content-type'] ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  if (!Object.hasOwn(stream, mediaType)) {
    const message = `must be ${anyOf(mediaTypesOf({ stream }))}, not ${show(type)}`
    issues.push({ path: 'Content-Type', message })
  }
  const charset = /charset="?([^";\s]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset))
    issues.push({ path: 'Content-Type', message: `must have the charset utf-8, not ${show(charset)}` })
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding !== 'identity')
    issues.push({
      path: 'Content-Encoding',
      message: `must be identity, not ${show(encoding)}. Send the file uncompressed.`,
    })
  if (issues.length > 0) throw invalidRequest(issues)
  // A rejected upload must not close the connection before the response: `sendThenDrain` reads the rest.
  return { mediaType, body: isReadable(body) ? body.iterator({ destroyOnReturn: false }) : empty() }
}

function isReadable(body: unknown): body is ReadableBody {
  return typeof body === 'object' && body !== null && 'iterator' in body
}

async function* empty(): AsyncGenerator<Uint8Array, void> {}
