import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import { ProviderProblem } from '../define.ts'
import { classifyError, type Phase } from './classify-error.ts'

const nowMs = Date.UTC(2026, 10, 21, 10)
const read = (error: unknown, phase: Phase = 'submit') =>
  classifyError(error, { phase, secrets: ['sk-secret-1'], nowMs })
const brief = (error: unknown, phase?: Phase) => {
  const { kind, next } = read(error, phase)
  return `${kind} ${next}`
}
/** An error as the AI SDK throws it. */
const api = (statusCode: number, body: unknown = {}, responseHeaders = {}) =>
  Object.assign(new Error('Bad response'), {
    name: 'AI_APICallError',
    statusCode,
    url: 'https://x',
    responseHeaders,
    responseBody: JSON.stringify(body),
  })
const network = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

test('a paid request is retried only if it was certainly not carried out', () => {
  for (const [error, expected] of [
    [new HttpProblem('unreachable', true, 'x'), 'down retry'],
    [new HttpProblem('timeout', true, 'x'), 'down retry'],
    [network('ECONNREFUSED'), 'down retry'],
    [network('ENOTFOUND'), 'down retry'],
    [api(429), 'rate_limited retry'],
    [api(503), 'down retry'],
    [new HttpProblem('broken', false, 'x'), 'outcome_unknown unknown'],
    [new HttpProblem('timeout', false, 'x'), 'outcome_unknown unknown'],
    [network('ECONNRESET'), 'outcome_unknown unknown'],
    [network('UND_ERR_HEADERS_TIMEOUT'), 'outcome_unknown unknown'],
    [api(500), 'outcome_unknown unknown'],
    [api(502), 'outcome_unknown unknown'],
    [api(504), 'outcome_unknown unknown'],
    [api(408), 'outcome_unknown unknown'],
    [new DOMException('x', 'TimeoutError'), 'outcome_unknown unknown'],
    [new TypeError('x is not a function'), 'outcome_unknown unknown'],
    ['thrown text', 'outcome_unknown unknown'],
    [new ProviderProblem('outcome_unknown', 'x'), 'outcome_unknown unknown'],
    [new ProviderProblem('timeout', 'x'), 'outcome_unknown unknown'],
    [new ProviderProblem('down', 'x'), 'down fall_back'],
    [new ProviderProblem('down', 'x', { status: 503 }), 'down retry'],
  ] as const) {
    assert.equal(brief(error), expected, String(error))
  }
})

test('rejections are distinguished, and the next model is called only if it may help', () => {
  for (const [error, expected] of [
    [api(401), 'auth fall_back'],
    [api(403), 'auth fall_back'],
    [api(402), 'quota fall_back'],
    [api(429, { error: { code: 'insufficient_quota' } }), 'quota fall_back'],
    [api(400, { error: { code: 'moderation_blocked' } }), 'refused fail'],
    [api(400, { error: { code: 'content_policy_violation' } }), 'refused fail'],
    [api(400), 'invalid_request fail'],
    [api(422), 'invalid_request fail'],
    [api(404), 'unsupported fall_back'],
    [api(302), 'down fall_back'],
    [api(200), 'bad_output fall_back'],
    [new HttpProblem('too_large', false, 'x'), 'bad_output fall_back'],
    [new HttpProblem('refused_address', true, 'x'), 'down fall_back'],
    [Object.assign(new Error('x'), { name: 'AI_NoImageGeneratedError' }), 'no_output fall_back'],
    [Object.assign(new Error('x'), { name: 'AI_LoadAPIKeyError' }), 'not_configured fall_back'],
    [new ProviderProblem('refused', 'x'), 'refused fail'],
  ] as const) {
    assert.equal(brief(error), expected, String(error))
  }
})

test('a poll is retried after temporary errors, and a missing job is expired', () => {
  for (const phase of ['poll', 'download'] as const) {
    for (const error of [
      new HttpProblem('broken', false, 'x'),
      new HttpProblem('timeout', true, 'x'),
      api(500),
      api(503),
      api(429),
      network('ECONNRESET'),
    ]) {
      assert.match(brief(error, phase), / retry$/)
    }
    assert.equal(brief(api(404), phase), 'expired fall_back')
    assert.equal(brief(new HttpProblem('broken', false, 'x', { status: 410 }), phase), 'expired fall_back')
    assert.equal(brief(new HttpProblem('broken', false, 'x', { status: 403 }), phase), 'expired fall_back')
    assert.match(brief(new HttpProblem('broken', false, 'x', { status: 429 }), phase), / retry$/)
    assert.equal(brief(new HttpProblem('refused_address', true, 'x'), phase), 'bad_output fall_back')
    assert.equal(brief(new ProviderProblem('refused', 'x'), phase), 'refused fail')
  }
})

test('Retry-After is read as seconds, as milliseconds and as a date', () => {
  const after = (headers: Record<string, string>) => read(api(429, {}, headers)).facts.retryAfterMs
  assert.equal(after({ 'retry-after': '2' }), 2_000)
  assert.equal(after({ 'retry-after': '0.5' }), 500)
  assert.equal(after({ 'retry-after-ms': '120', 'retry-after': '9' }), 120)
  assert.equal(after({ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }), 30_000)
  assert.equal(after({ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }), 0)
  for (const wrong of ['', 'soon', '-3', '2026']) assert.notEqual(after({ 'retry-after': wrong }), Number.NaN, wrong)
  assert.equal(after({ 'retry-after': 'soon' }), undefined)
  assert.equal(after({}), undefined)
})

test('no message has a secret, and the message about a wrong key is empty', () => {
  assert.equal(read(new ProviderProblem('auth', 'Incorrect key sk-secret-1, or something like it')).message, '')
  assert.equal(read(new ProviderProblem('down', 'sk-secret-1 is down')).message, '… is down')
  assert.doesNotMatch(
    JSON.stringify(read(api(400, { error: { code: 'sk-secret-1' } }, { 'x-request-id': 'sk-secret-1' }))),
    /secret/,
  )
})
