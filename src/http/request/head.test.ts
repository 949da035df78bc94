import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../limits.ts'
import { headFault, shortUrl } from './head.ts'

const headers = (count: number) =>
  Array.from({ length: count }, (_, i) => (i === 0 ? ['Host', 'x'] : [`X-${i}`, ''])).flat()
const check = (count: number, url: string) => headFault({ rawHeaders: headers(count), httpVersion: '1.1' }, url)
const query = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&')

test('a request has at most 100 headers', () => {
  assert.equal(check(limits.headersMax, '/docs'), undefined)
  assert.match(String(check(limits.headersMax + 1, '/docs')), /at most 100 headers/)
})

for (const start of ['?', '#'])
  test(`a query behind ${start} has at most 200 parameters, and a longer one is not parsed`, () => {
    const allowed = `/docs${start}${query(limits.queryParametersMax)}`
    assert.equal(check(1, allowed), undefined)
    assert.equal(shortUrl(allowed), allowed)
    for (const long of [`${allowed}&a`, `/docs${start}${'&'.repeat(5_000)}`]) {
      assert.match(String(check(1, long)), /at most 200 query parameters/)
      assert.equal(shortUrl(long), '/docs')
    }
  })
