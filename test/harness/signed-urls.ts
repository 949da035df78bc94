/** Signing keys, and a signer of delivery URLs that shares no code with the service. */
import { createHmac } from 'node:crypto'
import { type Client, ok, type Reply } from './client.ts'
import { createdKeys } from './created-keys.ts'

export interface SigningKey {
  id: string
  name: string
  workflows?: string[]
  images: boolean
  monthlyBudgetUsd: number
  spentUsd?: number
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  lastUsedAt?: string
}

export type NewSigningKey = SigningKey & { secret: string }

export async function newSigningKey(api: Client, body: object = {}): Promise<NewSigningKey> {
  const created = ok(await api.post<NewSigningKey>('/signing-keys', body), 201)
  // For the final check of the logs.
  createdKeys.push(created.secret)
  return created
}

export interface UrlOptions {
  /** Unix seconds. Default: in an hour. */
  exp?: number
}

/** Path and query of `/i/<file>`. */
export function deliveryUrl(
  key: Pick<NewSigningKey, 'id' | 'secret'>,
  file: string,
  parameters: Record<string, string> = {},
  options: UrlOptions = {},
): string {
  return signedPath(key, `/i/${file}`, parameters, options)
}

export function signedPath(
  { id, secret }: Pick<NewSigningKey, 'id' | 'secret'>,
  path: string,
  parameters: Record<string, string> = {},
  { exp = Math.floor(Date.now() / 1_000) + 3_600 }: UrlOptions = {},
): string {
  const pairs = Object.entries({ ...parameters, exp: `${exp}`, kid: id }).map((pair) => pair.map(encode).join('='))
  return signedQuery(secret, path, pairs.sort().join('&'))
}

/** Signs a query as it is, also one that is not in the canonical form. */
export function signedQuery(secret: string, path: string, query: string): string {
  const message = ['tintype-url-v1', path, query].join('\n')
  return `${path}?${query}&sig=${createHmac('sha256', secret).update(message).digest('base64url')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function deliver(api: Client, url: string, headers: Record<string, string> = {}): Promise<Reply<unknown>> {
  return api.root('GET', url, { headers })
}
