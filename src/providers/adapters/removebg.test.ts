import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import { removebg } from './removebg.ts'
import {
  callOf,
  contextOf,
  fileText,
  image,
  problemOf,
  type StubResponse,
  secret,
  serve,
} from './shared/test-server.ts'

test('sends the image as a form, and returns the response with its charge', async (t) => {
  const server = await serve(t, () => ({
    headers: { 'content-type': 'image/png', 'x-credits-charged': '1' },
    body: image.bytes,
  }))
  const call = await callOf(removebg, 'compatible', 'remove-background', { images: [image] })
  assert.deepEqual(await removebg.start(call, contextOf(removebg, `${server.url}/v1.0`)), {
    done: { images: [image.bytes], used: { units: 1 } },
  })
  const [received] = server.requests
  assert.equal(`${received?.method} ${received?.path}`, 'POST /v1.0/removebg')
  assert.equal(received?.headers['x-api-key'], secret)
  const form = await received?.form()
  assert.deepEqual([form?.get('size'), form?.get('format')], ['full', 'png'])
  assert.equal(await fileText(received, 'image_file'), image.bytes.toString())
})

test('accepts an image in JSON too', async (t) => {
  const server = await serve(t, () => ({ json: { data: { result_b64: image.bytes.toString('base64') } } }))
  const call = await callOf(removebg, 'compatible', 'remove-background', { images: [image] })
  assert.deepEqual(await removebg.start(call, contextOf(removebg, server.url)), { done: { images: [image.bytes] } })
})

test('reports a response without an image by its kind', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const call = await callOf(removebg, 'compatible', 'remove-background', { images: [image] })
  const start = () => removebg.start(call, contextOf(removebg, server.url))
  const error = (status: number, code: string, title: string): StubResponse => ({
    status,
    json: { errors: [{ title, code }] },
  })
  const kinds: [StubResponse, string, string][] = [
    [error(400, 'unknown_foreground', 'Could not identify foreground in image.'), 'no_output', 'no'],
    [error(400, 'invalid_file_type', 'File type invalid'), 'invalid_request', 'no'],
    [error(402, 'insufficient_credits', 'Insufficient credits'), 'quota', 'no'],
    [error(403, 'auth_failed', `API Key ${secret} invalid`), 'auth', 'no'],
    [{ ...error(429, 'rate_limit_exceeded', 'Rate limit'), headers: { 'retry-after': '59' } }, 'rate_limited', 'no'],
    [error(500, 'internal', 'x'), 'outcome_unknown', 'unknown'],
    [{ headers: { 'content-type': 'text/html' }, body: '<html>' }, 'outcome_unknown', 'unknown'],
    [{ json: { data: {} } }, 'outcome_unknown', 'unknown'],
    [{ headers: { 'content-type': 'image/png' }, body: '' }, 'outcome_unknown', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(start())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
    if (kind === 'rate_limited') assert.equal(problem.facts.retryAfterMs, 59_000)
    if (kind === 'invalid_request') assert.match(problem.message, /File type invalid/)
  }
  assert.equal(server.requests.length, kinds.length, 'nothing is sent twice')
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})
