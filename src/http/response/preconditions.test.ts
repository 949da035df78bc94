import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Fault } from '../../errors.ts'
import { type Representation, respondWithFile, type Selected, selectRepresentation } from './preconditions.ts'

const modifiedAt = Date.UTC(1994, 10, 6, 8, 49, 37, 900)
const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
const earlier = 'Sun, 06 Nov 1994 08:49:36 GMT'
const file: Representation = { etag: '"a,b"', modifiedAt, size: 10 }
const failed = 'precondition_failed'

function select(
  headers: Record<string, string>,
  { method = 'GET', ...other }: Partial<Representation> & { method?: string } = {},
) {
  try {
    return selectRepresentation(method, headers, { ...file, ...other })
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

const whole: Selected = { status: 200 }
const same: Selected = { status: 304 }

describe('preconditions', () => {
  for (const [headers, expected] of [
    [{}, whole],
    [{ 'if-none-match': '"a,b"' }, same],
    [{ 'if-none-match': '"x", W/"a,b"' }, same],
    [{ 'if-none-match': '*' }, same],
    [{ 'if-none-match': '"a", "b"' }, whole],
    [{ 'if-modified-since': date }, same],
    [{ 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, same],
    [{ 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, same],
    [{ 'if-modified-since': earlier }, whole],
    [{ 'if-modified-since': '1995' }, whole],
    // If-None-Match is the more exact one, so a date next to it is ignored.
    [{ 'if-none-match': '"x"', 'if-modified-since': date }, whole],
    [{ 'if-match': '"a,b"' }, whole],
    [{ 'if-match': '*' }, whole],
    [{ 'if-match': '"x", "a,b"' }, whole],
    [{ 'if-match': 'W/"a,b"' }, failed],
    [{ 'if-match': '"x"' }, failed],
    [{ 'if-match': '"x"', 'if-none-match': '"a,b"' }, failed],
    [{ 'if-unmodified-since': date }, whole],
    [{ 'if-unmodified-since': earlier }, failed],
    [{ 'if-unmodified-since': 'yesterday' }, whole],
    [{ 'if-match': '"a,b"', 'if-unmodified-since': earlier }, whole],
  ] as [Record<string, string>, Selected | string][])
    test(`of ${JSON.stringify(headers)}`, () => assert.deepEqual(select(headers), expected))

  test('a weak ETag fails If-Match and satisfies If-None-Match', () => {
    assert.equal(select({ 'if-match': 'W/"w"' }, { etag: 'W/"w"' }), failed)
    assert.deepEqual(select({ 'if-none-match': '"w"' }, { etag: 'W/"w"' }), same)
  })

  test('a file without a date ignores dates', () => {
    assert.deepEqual(
      select({ 'if-modified-since': date, 'if-unmodified-since': earlier }, { modifiedAt: undefined }),
      whole,
    )
  })
})

describe('ranges', () => {
  const part = (start: number, end: number): Selected => ({ status: 206, range: { start, end } })
  for (const [headers, expected] of [
    [{ range: 'bytes=2-4' }, part(2, 4)],
    [{ range: 'bytes=2-' }, part(2, 9)],
    [{ range: 'bytes=-3' }, part(7, 9)],
    [{ range: 'bytes=-30' }, part(0, 9)],
    [{ range: 'bytes=5-99' }, part(5, 9)],
    [{ range: 'bytes=10-' }, { status: 416 }],
    [{ range: 'bytes=0-1,4-5' }, whole],
    [{ range: 'lines=1-2' }, whole],
    [{ range: 'bytes=2-4', 'if-range': '"a,b"' }, part(2, 4)],
    [{ range: 'bytes=2-4', 'if-range': 'W/"a,b"' }, whole],
    [{ range: 'bytes=2-4', 'if-range': '"x"' }, whole],
    [{ range: 'bytes=2-4', 'if-range': date }, part(2, 4)],
    [{ range: 'bytes=2-4', 'if-range': earlier }, whole],
    [{ range: 'bytes=2-4', 'if-none-match': '"a,b"' }, same],
    [{ range: 'bytes=2-4', 'if-match': '"x"' }, failed],
  ] as [Record<string, string>, Selected | string][])
    test(`of ${JSON.stringify(headers)}`, () => assert.deepEqual(select(headers), expected))

  test('HEAD and a file without ranges ignore Range', () => {
    assert.deepEqual(select({ range: 'bytes=2-4' }, { method: 'HEAD' }), whole)
    assert.deepEqual(select({ range: 'bytes=2-4' }, { size: undefined }), whole)
  })
})

describe('the response with a file', () => {
  const bytes = Buffer.from('0123456789')
  const respond = (method: string, headers: Record<string, string>, reads: unknown[] = []) =>
    respondWithFile(
      { method, headers },
      {
        headers: { etag: '"a"' },
        mediaType: 'image/png',
        size: 10,
        hasRanges: true,
        read: async (range) => {
          reads.push(range)
          return range ? bytes.subarray(range.start, range.end + 1) : bytes
        },
      },
    )

  test('has the length and the place of its part', async () => {
    const { status, headers, body } = await respond('GET', { range: 'bytes=2-4' })
    assert.deepEqual([status, headers?.['content-length'], headers?.['content-range']], [206, '3', 'bytes 2-4/10'])
    assert.equal(String(body), '234')
  })

  test('of HEAD, 304 and 416 reads nothing', async () => {
    const reads: unknown[] = []
    const head = await respond('HEAD', {}, reads)
    assert.deepEqual([head.status, head.headers?.['content-length'], head.body], [200, '10', null])
    assert.equal((await respond('GET', { 'if-none-match': '"a"' }, reads)).status, 304)
    const outside = await respond('GET', { range: 'bytes=50-' }, reads)
    assert.deepEqual([outside.status, outside.headers?.['content-range']], [416, 'bytes */10'])
    assert.deepEqual(reads, [])
  })
})
