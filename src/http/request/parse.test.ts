import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import Type from 'typebox'
import { Fault } from '../../errors.ts'
import { closed, defineRoute } from '../define-route.ts'
import { parseBody, parserOf } from './parse.ts'

function refusal(work: () => unknown): { path: string; message: string }[] {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_request') return error.details.issues ?? []
    throw error
  }
  return []
}

test('a body that cannot be parsed is refused with its problem', () => {
  const parse = (text: string) => parseBody(Buffer.from(text), {})
  assert.match(refusal(() => parse('{'))[0]?.message ?? '', /^must be valid JSON\. /)
  assert.deepEqual(
    refusal(() => parse('{"__proto__":1}')),
    [{ path: '__proto__', message: 'is not an allowed name' }],
  )
  assert.equal(parse(''), undefined)
})

describe('a request', () => {
  const route = defineRoute({
    id: 'test',
    method: 'POST',
    path: '/test',
    summary: '',
    tag: 'Service',
    permission: [],
    query: Type.Object(
      { limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) },
      { additionalProperties: false },
    ),
    body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    reply: { status: 200, description: '' },
    handle: () => ({ body: null }),
  })
  const parse = parserOf(route)

  it('accepts only decimal digits as numbers of the query', () => {
    for (const [text, limit] of [
      ['1', 1],
      ['100', 100],
    ] as const) {
      assert.deepEqual(parse({ params: {}, query: { limit: text }, body: { name: 'x' } }).query, { limit })
    }
    for (const text of ['0', '101', '-1', '1.5', 'abc', '', ' 5', '1e1', '0x10', '٣', ['1', '2']]) {
      assert.equal(
        refusal(() => parse({ params: {}, query: { limit: text }, body: { name: 'x' } }))[0]?.path,
        'limit',
        String(text),
      )
    }
  })
  it('with a query parameter that is sent twice is rejected with this reason', () => {
    const [issue] = refusal(() => parse({ params: {}, query: { limit: ['1', '2'] }, body: { name: 'x' } }))
    assert.deepEqual(issue, { path: 'limit', message: 'was sent more than once. Send it once.' })
  })
  it('gets defaults for omitted fields', () => {
    assert.deepEqual(parse({ params: {}, query: {}, body: { name: 'x' } }).query, { limit: 20 })
  })
  it('reports the problems of its query and its body together', () => {
    const issues = refusal(() => parse({ params: {}, query: { limit: '0', hasOwnProperty: '1' }, body: { nam: 'x' } }))
    assert.deepEqual(issues.map(({ path }) => path).sort(), ['hasOwnProperty', 'limit', 'nam', 'name'])
  })
  it('without a required body is rejected', () => {
    assert.match(refusal(() => parse({ params: {}, query: {}, body: undefined }))[0]?.message ?? '', /requires a body/)
  })
  it('without a body is accepted if it is a POST and all fields are optional', () => {
    const body = Type.Object({ name: Type.Optional(Type.String()) }, closed)
    const route = { id: 'x', path: '/x', summary: '', tag: 'Projects', permission: 'public', body } as const
    const withMethod = (method: 'POST' | 'PUT') =>
      parserOf({ ...route, method, reply: { status: 200, description: '' }, handle: () => ({ body: null }) } as never)
    const empty = { params: {}, query: {}, body: undefined }
    assert.deepEqual(withMethod('POST')(empty).body, {})
    assert.throws(() => withMethod('PUT')(empty), /requires a body/)
  })
})
