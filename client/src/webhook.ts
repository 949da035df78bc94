/** Webhooks, signed as Standard Webhooks 1.0 describes: https://www.standardwebhooks.com */
import { bytesOf, fromBase64, hmacKey } from './crypto.ts'
import { WebhookError } from './errors.ts'
import type { WebhookEvent } from './resources.ts'

export interface ReceivedWebhook {
  /** The body as it arrived: JSON that was parsed and written again has another signature. */
  body: string | Uint8Array
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret of the endpoint, or several of them. */
  secret: string | readonly string[]
  /** The age of a webhook, and the difference of the clocks, that is accepted. Default: 300. */
  toleranceSeconds?: number | undefined
}

/** The event of a webhook with a valid signature. Throws a `WebhookError` for any other. */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: ReceivedWebhook): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name)
    if (!value) throw new WebhookError(`The request has no header ${name}: it isn't a webhook.`)
    return value
  }) as [string, string, string]
  const ageSeconds = Date.now() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookError(
      `The webhook was sent at ${timestamp}, and more than ${toleranceSeconds} s from the time of this machine: a repetition, or a clock is wrong.`,
    )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const message = bytesOf(`${id}.${timestamp}.${text}`)
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const bytes = fromBase64(each.replace(/^whsec_/, ''))
    if (!bytes?.length) throw new TypeError('"secret" must be a secret of a webhook endpoint: whsec_...')
    const key = await hmacKey(bytes)
    for (const signature of signatures.split(' ')) {
      const digest = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
      // Compares in constant time.
      if (digest && (await crypto.subtle.verify('HMAC', key, digest, message))) return JSON.parse(text)
    }
  }
  throw new WebhookError(
    'The webhook has no signature of this secret: the body was changed, or the secret is of another endpoint.',
  )
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = found === undefined ? undefined : headers[found]
  return typeof value === 'string' ? value : value?.[0]
}
