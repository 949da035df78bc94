/** Delivery URLs, signed on a server of yours: https://en.wikipedia.org/wiki/HMAC over path and query, as the guide describes. */
import { bytesOf, hmacKey, toBase64Url } from './crypto.ts'

export interface DeliveryUrl {
  /** Such as `card.webp`, `card@live.webp`, `<image_id>.avif`, or the path of a private image: `/images/<image_id>.png`. */
  file: string
  parameters?: Readonly<Record<string, unknown>> | undefined
  /** A signing key, not an API key. */
  key: { id: string; secret: string }
  /** Time after which the URL is rejected, as a date or in Unix seconds. */
  expires?: Date | number | undefined
  /**
   * Seconds, in place of `expires`: the URL is valid for at least this time and at most twice as long, so that all URLs that are signed in
   * this time are the same, and caches find them. Default: 86,400, a day.
   */
  expiresIn?: number | undefined
  /** Address of the service. Without it, the result is the path and the query. */
  url?: string | undefined
}

const reserved = ['exp', 'kid', 'sig']
const daySeconds = 86_400

/** Signs a delivery URL without a request. Keep the secret on the server: pages must not contain it. */
export async function signUrl({
  file,
  parameters = {},
  key,
  expires,
  expiresIn,
  url = '',
}: DeliveryUrl): Promise<string> {
  const path = file.startsWith('/') ? file : `/i/${file}`
  const values = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null)
  const taken = values.find(([name]) => reserved.includes(name))
  if (taken) throw new TypeError(`"${taken[0]}" is not the name of a parameter: delivery URLs use it.`)
  const texts = values.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const pairs: [string, string][] = [...texts, ['exp', String(expiryOf(expires, expiresIn))], ['kid', key.id]]
  const query = pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  const signature = await crypto.subtle.sign(
    'HMAC',
    await hmacKey(bytesOf(key.secret)),
    bytesOf(`tintype-url-v1\n${path}\n${query}`),
  )
  return `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}?${query}&sig=${toBase64Url(signature)}`
}

function expiryOf(expires: Date | number | undefined, expiresIn = daySeconds): number {
  const seconds =
    expires === undefined
      ? (Math.ceil(Date.now() / 1000 / expiresIn) + 1) * expiresIn
      : Math.ceil(expires instanceof Date ? expires.getTime() / 1000 : expires)
  if (Number.isSafeInteger(seconds) && seconds > 0 && expiresIn >= 1) return seconds
  throw new TypeError('"expires" must be a date or Unix seconds, and "expiresIn" a number of seconds from 1.')
}

/** RFC 3986: `encodeURIComponent` keeps five characters more. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
