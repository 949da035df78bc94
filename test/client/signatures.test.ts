/** The client signs delivery URLs as the service does, and accepts the webhooks that the service signs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUrl, verifyWebhook, WebhookError } from '../../client/src/index.ts'
import { isSignature, parseSignedUrl, signUrl as signUrlOfService } from '../../src/domain/delivery/signed-url.ts'
import { signedHeaders } from '../../src/services/webhooks/webhook-messages.ts'

const key = { id: 'skey_06h17ante000xyqcrp9m14q6dt2r', secret: 'tt_sign_uadYqK1BnCMFuhBmRcJ08lDpCIwmaOkqKzsGGM7lg4k' }
const expires = 1_798_218_286

test('signs the URLs of the service', async () => {
  const cases: [file: string, path: string, parameters: Record<string, unknown>, texts: Record<string, string>][] = [
    ['card.webp', '/i/card.webp', {}, {}],
    [
      'card@live.png',
      '/i/card@live.png',
      { zeta: '~._-', alpha: "!'()*", Beta: 'a+b=c&d/e?f#g%20', exq: ' ', n: -1500 },
      { zeta: '~._-', alpha: "!'()*", Beta: 'a+b=c&d/e?f#g%20', exq: ' ', n: '-1500' },
    ],
    [
      'card.jpg',
      '/i/card.jpg',
      { text: '日本語 é 🎉\n\t"quoted"', json: { a: [1, true, null] }, yes: true, none: undefined, nil: null },
      { text: '日本語 é 🎉\n\t"quoted"', json: '{"a":[1,true,null]}', yes: 'true' },
    ],
    ['/images/img_1.png', '/images/img_1.png', {}, {}],
  ]
  for (const [file, path, parameters, texts] of cases) {
    const url = await signUrl({ file, parameters, key, expires })
    assert.equal(url, signUrlOfService({ path, parameters: texts, expires, keyId: key.id }, key.secret))
    const signed = parseSignedUrl(url)
    assert.ok(signed && isSignature(signed.signature, signed.message, key.secret), path)
    const absolute = await signUrl({
      file,
      parameters,
      key,
      expires: new Date(expires * 1000),
      url: 'https://x.example/v1/',
    })
    assert.equal(absolute, `https://x.example${url}`)
  }
})

test('an expiry by seconds is at least that long, and the same URL until it is renewed', async (t) => {
  const start = 1_700_000_000_000
  t.mock.timers.enable({ apis: ['Date'], now: start })
  const urls = new Set<string>()
  for (let hour = 0; hour < 48; hour++) {
    const url = await signUrl({ file: 'card.webp', key, expiresIn: 86_400 })
    const left = (parseSignedUrl(url)?.expires ?? 0) - Date.now() / 1000
    assert.ok(left >= 86_400 && left <= 2 * 86_400, `${left} s`)
    urls.add(url)
    t.mock.timers.setTime(start + (hour + 1) * 3_600_000)
  }
  assert.equal(urls.size, 3)
})

test('a fixed expiry does not depend on the clock, and a clock that is late by less than the time makes valid URLs', async (t) => {
  const now = 1_700_000_000_000
  t.mock.timers.enable({ apis: ['Date'], now: now - 80_000_000 })
  const fixed = await signUrl({ file: 'card.webp', key, expires })
  assert.equal(parseSignedUrl(fixed)?.expires, expires)
  const late = await signUrl({ file: 'card.webp', key })
  assert.ok((parseSignedUrl(late)?.expires ?? 0) > now / 1000)
})

test('rejects an expiry and parameters that no URL can have', async () => {
  for (const wrong of [
    { expires: Number.NaN },
    { expires: -5 },
    { expires: new Date('x') },
    { expiresIn: 0 },
    { expiresIn: -1 },
  ])
    await assert.rejects(signUrl({ file: 'card.webp', key, ...wrong }), TypeError)
  for (const name of ['exp', 'kid', 'sig'])
    await assert.rejects(
      signUrl({ file: 'card.webp', key, parameters: { [name]: 'x' } }),
      /not the name of a parameter/,
    )
})

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const body = '{"type":"execution.completed","timestamp":"2026-11-25T14:43:04.677Z","data":{"name":"日本 é"}}'

function sign(current: string, previous: string | null = null, at = Date.now()): Record<string, string> {
  const rotation = { secret: current, previous, previousUntil: previous === null ? null : at + 1_000 }
  return signedHeaders({ eventId: 'evt_1', body, secret: rotation }, at) as Record<string, string>
}

test('returns the event of a signed webhook, in each form of body and headers', async () => {
  const headers = sign(secret)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const each of [headers, new Headers(headers), upper])
    for (const received of [body, new TextEncoder().encode(body)]) {
      const event = await verifyWebhook({ body: received, headers: each, secret })
      assert.deepEqual(event, JSON.parse(body))
    }
})

test('accepts both secrets while one is rotated', async () => {
  await verifyWebhook({ body, headers: sign(other, secret), secret })
  await verifyWebhook({ body, headers: sign(other, secret), secret: other })
  await verifyWebhook({ body, headers: sign(other), secret: [secret, other] })
})

test('rejects a webhook that is changed, old, unsigned or of another secret', async () => {
  const now = Date.now()
  const wrong: [object, RegExp][] = [
    [{ headers: sign(other) }, /no signature of this secret/],
    [{ body: body.replace('日', '月') }, /no signature/],
    [{ headers: { ...sign(secret), 'webhook-id': 'evt_2' } }, /no signature/],
    [{ headers: sign(secret, null, now - 400_000) }, /clock/],
    [{ headers: sign(secret, null, now + 400_000) }, /clock/],
    [{ headers: { ...sign(secret), 'webhook-timestamp': 'now' } }, /clock/],
    [{ headers: { ...sign(secret), 'webhook-signature': 'v1,AAAA' } }, /no signature/],
    [{ headers: { ...sign(secret), 'webhook-signature': 'v1,%%%' } }, /no signature/],
    [{ headers: { ...sign(secret), 'webhook-signature': '' } }, /no header webhook-signature/],
    [{ headers: {} }, /no header webhook-id/],
  ]
  for (const [changes, message] of wrong)
    await assert.rejects(verifyWebhook({ body, headers: sign(secret), secret, ...changes }), (error: Error) => {
      assert.ok(error instanceof WebhookError, error.message)
      assert.match(error.message, message)
      return true
    })
  await verifyWebhook({ body, headers: sign(secret, null, now - 400_000), secret, toleranceSeconds: 500 })
  await assert.rejects(verifyWebhook({ body, headers: sign(secret), secret: 'whsec_' }), TypeError)
})
