/** The target of a redirect. */
import { limits } from '../limits.ts'

/**
 * The URL in a header `Location`, or the problem with it. Header values are bytes, which the client decodes as Latin-1. Bytes outside of
 * ASCII reach the next host as they are, whatever their encoding is, as browsers send them.
 */
export function locationOf(value: string | string[] | undefined | null, from: URL): URL | string {
  if (value === undefined || value === null) return 'redirected without a Location'
  if (typeof value !== 'string') return 'redirected with more than one Location'
  if (value.length > limits.urlCharsMax) return `redirected to a URL of more than ${limits.urlCharsMax} characters`
  const escaped = value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return URL.parse(escaped, from.href) ?? 'redirected to an invalid URL'
}
