import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontFormats } from './accounts/font.ts'
import { blobKeyOf, blobKeyPattern, idOfBlobKey } from './blob-key.ts'
import { type ImageFormat, imageFormats } from './images/image.ts'

test('the key of a blob is its id with the extension of its format, and contains the id', () => {
  assert.equal(blobKeyOf({ id: 'img_1', format: 'jpeg' }), 'img_1.jpg')
  assert.equal(blobKeyOf({ id: 'font_1', format: 'woff2' }), 'font_1.woff2')
  for (const format of [...(Object.keys(imageFormats) as ImageFormat[]), ...fontFormats]) {
    const key = blobKeyOf({ id: 'x_1', format })
    assert.match(key, blobKeyPattern)
    assert.equal(idOfBlobKey(key), 'x_1')
  }
  assert.equal(idOfBlobKey('step_1'), 'step_1')
})
