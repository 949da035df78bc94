/**
 * The signature of delivery URLs. Documented for signers in other languages: docs/guide/delivery-urls.md.
 *
 * The message is `tintype-url-v1`, the path and the query without `sig`, each on a line. The query is sorted by name and encoded as
 * RFC 3986 says: only A-Z a-z 0-9 - . _ ~ stay as they are. Exactly these bytes are sent, so that each signed content has one URL: no one can make
 * caches miss with another spelling.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'
import { reservedNames } from './delivery.ts'

export interface SignedUrl {
  /** Path without the host: `/i/card.webp`. */
  path: string
  /** Names and decoded values, sorted, without `exp`, `kid` and `sig`. */
  parameters: readonly (readonly [name: string, value: string])[]
  /** Unix seconds. */
  expires: number
  keyId: string
  signature: string
  /** The message that was signed. */
  message: string
}

export interface UrlToSign {
  path: string
  parameters: Readonly<Record<string, string>>
  expires: number
  keyId: string
}

const version = 'tintype-url-v1'
const pairsMax = limits.parametersMax + reservedNames.length

/** The path and the query of a signed URL. */
export function signUrl({ path, parameters, expires, keyId }: UrlToSign, secret: string): string {
  const query = queryOf(Object.entries({ ...parameters, exp: String(expires), kid: keyId }))
  return `${path}?${query}&sig=${signatureOf(messageOf(path, query), secret)}`
}

export function signatureOf(message: string, secret: string): string {
  return createHmac('sha256', secret).update(message).digest('base64url')
}

/** Compares in constant time. */
export function isSignature(signature: string, message: string, secret: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(message, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Undefined if the URL is not in the canonical form, or lacks a part. Its signature is not checked. `requestTarget`: path and query as they were sent. */
export function parseSignedUrl(requestTarget: string): SignedUrl | undefined {
  // A proxy may send the whole URL (RFC 9112, 3.2.2).
  const url = requestTarget.replace(/^https?:\/\/[^/?]*/i, '')
  const at = url.indexOf('?')
  if (at < 0) return undefined
  const [path, query] = [url.slice(0, at), url.slice(at + 1)]
  const pairs = query.split('&')
  // Anyone can send it, and reading it costs as much as all other work of a request with a wrong signature.
  if (pairs.length > pairsMax) return undefined
  const signature = pairs.pop() ?? ''
  const signed = pairs.map(decoded)
  if (!signature.startsWith('sig=') || !isSorted(signed)) return undefined
  const values = new Map(signed)
  const [expires, keyId] = [values.get('exp') ?? '', values.get('kid')]
  if (!/^[1-9]\d{0,14}$/.test(expires) || keyId === undefined || values.has('sig')) return undefined
  return {
    path,
    parameters: signed.filter(([name]) => name !== 'exp' && name !== 'kid'),
    expires: Number(expires),
    keyId,
    signature: signature.slice('sig='.length),
    message: messageOf(path, queryOf(signed)),
  }
}

function isSorted(pairs: readonly (readonly [string, string] | undefined)[]): pairs is [string, string][] {
  return pairs.every((pair, i) => pair !== undefined && (i === 0 || (pairs[i - 1]?.[0] ?? '') < pair[0]))
}

/** Undefined if it is not spelled as `queryOf` spells it. */
function decoded(pair: string): [string, string] | undefined {
  const at = pair.indexOf('=')
  if (at < 1) return undefined
  try {
    const [name, value] = [decodeURIComponent(pair.slice(0, at)), decodeURIComponent(pair.slice(at + 1))]
    return pairOf(name, value) === pair ? [name, value] : undefined
  } catch {
    return undefined
  }
}

function messageOf(path: string, query: string): string {
  return `${version}\n${path}\n${query}`
}

/** Sorted by name, by code unit: names of parameters are ASCII. */
function queryOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, value]) => pairOf(name, value)).join('&')
}

function pairOf(name: string, value: string): string {
  return `${encoded(name)}=${encoded(value)}`
}

/** RFC 3986: `encodeURIComponent` keeps five characters more. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
