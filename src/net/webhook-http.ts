/** Sends webhooks to hosts that a caller names: no redirects, no private addresses, bounded time and response. */
import type { LookupFunction } from 'node:net'
import { limits } from '../limits.ts'
import { isPublicAddress } from './address.ts'
import { createAllowList } from './allow.ts'
import { AddressRefused, createConnector } from './connect.ts'
import { createLookup } from './lookup.ts'
import { NoResponse, send, TimedOut } from './send.ts'

export interface WebhookHttpOptions {
  /** `FETCH_ALLOW`: `host` or `host:port`, permitted at any address and without TLS. */
  allow: readonly string[]
  /** Whether `http://` is accepted for other hosts. */
  allowsHttp: boolean
  lookup?: LookupFunction
  /** Addresses that are permitted for every host. Default: those of the public internet. */
  isOpen?: (address: string) => boolean
  connectSeconds?: number
  seconds?: number
}

export interface WebhookResponse {
  status: number
  /** The first bytes. */
  body: string
  retryAfter: string | undefined
}

/** The error of an attempt without a response. The message is for the account that owns the receiver. */
export class WebhookProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookProblem'
  }
}

export interface WebhookHttp {
  /** Why webhooks can't be sent to this URL, as the end of a sentence; undefined if they can. Resolves no name. */
  problemOf(url: string): string | undefined
  /** Returns every status, also redirects, which are not followed. Throws `WebhookProblem`; when the signal aborts, its reason. */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<WebhookResponse>
}

export function createWebhookHttp(options: WebhookHttpOptions): WebhookHttp {
  const isAllowed = createAllowList(options.allow)
  const { lookup = createLookup(), isOpen = isPublicAddress, allowsHttp } = options
  const { connectSeconds = limits.webhookConnectSeconds, seconds = limits.webhookSeconds } = options

  function problemOf(text: string): string | undefined {
    // The parser of URLs removes white space, so the message could go to another address than the text says.
    if (/[\s\p{Cc}]/u.test(text))
      return 'must not contain white space or control characters, also not at its ends. Write a space as %20.'
    const [, authority = ''] = /^[^/]*\/\/([^/?#]*)/.exec(text) ?? []
    const isHttp = text.length <= limits.webhookUrlCharsMax && /^https?:\/\/[^/?#]/i.test(text)
    const url = isHttp ? URL.parse(text) : null
    if (url === null)
      return `must be a URL of at most ${limits.webhookUrlCharsMax} characters that starts with https://`
    // The parser drops an empty user name and an empty fragment.
    if (authority.includes('@'))
      return 'must not contain a user name or a password. Verify the signature of the webhook instead.'
    if (text.includes('#')) return 'must not contain a fragment (#), because it would not be sent. Remove it.'
    if (url.port === '0') return 'must not have the port 0. Use the port of the receiver, or none.'
    if (isAllowed(url)) return undefined
    if (url.protocol === 'http:' && !allowsHttp)
      return 'must start with https://. For other URLs, ask the operator to add the host to FETCH_ALLOW.'
    if (isLocal(url.hostname) || (addressOf(url.hostname) !== undefined && !isOpen(addressOf(url.hostname) ?? '')))
      return 'must not be an address of a private network. Use a public host, or ask the operator to add it to FETCH_ALLOW.'
    return undefined
  }

  return {
    problemOf,

    async post(text, headers, body, signal) {
      const problem = problemOf(text)
      // The operator may have changed the settings since the URL was accepted.
      if (problem !== undefined) throw new WebhookProblem(`The URL ${problem}`)
      const url = new URL(text)
      const open = isAllowed(url)
      const connector = (ending: AbortSignal) =>
        createConnector({ mayReach: (address) => open || isOpen(address), lookup, signal: ending })
      const bounds = { bytesMax: limits.webhookResponseBytesMax, cutsBody: true, connectSeconds, seconds }
      const sent = { ...headers, 'user-agent': 'Tintype', accept: '*/*', 'accept-encoding': 'identity' }
      try {
        const outgoing = { method: 'POST', headers: sent, body: Buffer.from(body) }
        const response = await send(url, outgoing, { ...bounds, connector, signal })
        return {
          status: response.status,
          // Control characters would disturb the log, and PostgreSQL can't store U+0000.
          body: response.body.toString().replaceAll(/(?![\t\n\r])\p{Cc}/gu, '\ufffd'),
          retryAfter: [response.headers['retry-after']].flat()[0],
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw new WebhookProblem(`${url.host} ${reasonOf(error)}.`, { cause: error })
      }
    },
  }
}

function reasonOf(error: unknown): string {
  const isUnsent = error instanceof NoResponse && error.isUnsent
  const cause = error instanceof NoResponse ? error.cause : error
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string }
  if (cause instanceof AddressRefused) return 'resolves to an address of a private network, which is not allowed'
  if (cause instanceof TimedOut)
    return isUnsent ? `accepted no connection within ${cause.seconds} s` : `did not respond within ${cause.seconds} s`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'could not be resolved'
  if (code === 'ECONNREFUSED') return 'refused the connection'
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'does not use TLS on this port'
  if (isUnsent && isTlsError(code, message)) return `has no valid TLS certificate (${code || message})`
  return isUnsent ? 'could not be reached' : 'closed the connection, or sent an invalid HTTP response'
}

function isTlsError(code: string, message: string): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code) || /certificate|SSL|TLS/.test(message)
  )
}

function isLocal(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname)
}

/** The address of a URL that contains one. The parser of URLs has converted notations such as 0x7f.1. */
function addressOf(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined
}
