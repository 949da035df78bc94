import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { Fault } from '../../errors.ts'
import { closed, defineRoute } from '../define-route.ts'
import { parseBody, parseJson, parserOf } from './parse.ts'

function refusal(work: () => unknown): { path: string; message: string }[] {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_request') return error.details.issues ?? []
    throw error
  }
  return []
}

describe('a JSON body', () => {
  it('is rejected before it is parsed if it has too many values', () => {
    const parse = (text: string) => parseBody(Buffer.from(text), {})
    const tooMany = [
      `[${'0,'.repeat(100_000)}0]`,
      `{"a":[${'[],'.repeat(60_000)}[]]}`,
      `[${'{"a":1},'.repeat(60_000)}{}]`,
      // Not valid JSON, which a parser finds at the end.
      `[${'"\\\\",'.repeat(100_000)}`,
    ]
    for (const text of tooMany) {
      const [issue, ...more] = refusal(() => parse(text))
      assert.deepEqual([issue, more], [{ path: '', message: 'must have a body of at most 100,000 values' }, []])
    }
    const text = '\\",[{'.repeat(50_000)
    assert.deepEqual(parse(JSON.stringify([text])), [text])
    const many = Array.from({ length: 99_000 }, (_, i) => i)
    assert.deepEqual(parse(JSON.stringify(many)), many)
  })

  it('is rejected before it is parsed if it has too many different names', () => {
    const parse = (text: string) => parseBody(Buffer.from(text), {})
    const escapes = ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t']
    const escaped = (i: number) => [...i.toString(8)].map((digit) => escapes[Number(digit)]).join('')
    for (const name of [(i: number) => `p${i}`, escaped]) {
      const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${name(i)}" : 1`)
      const tooMany = fields(25_000)
      const objects = tooMany.map((field) => `{${field}}`)
      for (const text of [`{${tooMany}}`, `[${objects}]`]) {
        const [issue, ...more] = refusal(() => parse(text))
        const message = 'must have a body of at most 20,000 different names of fields'
        assert.deepEqual([issue, more], [{ path: '', message }, []])
      }
      assert.equal(Object.keys(parse(`{${fields(20_000)}}`) as object).length, 20_000)
    }
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: `:${i}`, text: '":"' }))
    assert.deepEqual(parse(JSON.stringify(rows)), rows)
  })

  it('is rejected before it is traversed if it is nested too deeply, malformed or sets the prototype', () => {
    for (const text of [
      '['.repeat(50_000) + ']'.repeat(50_000),
      `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
      '{',
      '{"__proto__":{"x":1}}',
      '{"a":[{"__proto__":1}]}',
      '',
      'NaN',
    ]) {
      assert.equal(refusal(() => parseJson(text)).length, 1, text.slice(0, 30))
    }
    assert.deepEqual(parseJson('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] })
  })
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
