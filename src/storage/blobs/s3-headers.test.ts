import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headersOf } from './s3-headers.ts'

const CacheControl = 'public, max-age=3600, immutable'

test('a blob in the bucket has its media type, and documents are downloads', () => {
  assert.deepEqual(headersOf('img_1.jpg'), { ContentType: 'image/jpeg', CacheControl })
  for (const [extension, ContentType] of [
    ['svg', 'image/svg+xml'],
    ['pdf', 'application/pdf'],
    ['psd', 'image/vnd.adobe.photoshop'],
  ]) {
    const headers = { ContentType, CacheControl, ContentDisposition: 'attachment' }
    assert.deepEqual(headersOf(`img_1.${extension}`), headers)
  }
  assert.deepEqual(headersOf('font_1.woff2'), { ContentType: 'font/woff2' })
  assert.deepEqual(headersOf('other'), { ContentType: 'application/octet-stream' })
})
