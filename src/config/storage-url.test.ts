import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseStorageUrl } from './storage-url.ts'

describe('STORAGE_URL', () => {
  it('accepts a bucket of AWS, whose region can come from the AWS environment', () => {
    assert.deepEqual(parseStorageUrl('s3://pictures'), {
      kind: 's3',
      bucket: 'pictures',
      prefix: '',
      forcePathStyle: false,
    })
    assert.deepEqual(parseStorageUrl('s3://pictures.example/a/b-2/?region=eu-central-1'), {
      kind: 's3',
      bucket: 'pictures.example',
      prefix: 'a/b-2/',
      region: 'eu-central-1',
      forcePathStyle: false,
    })
  })
  it('accepts a bucket of another service by its endpoint, with path-style URLs by default', () => {
    assert.deepEqual(parseStorageUrl('s3://pictures/?endpoint=http://127.0.0.1:9000/'), {
      kind: 's3',
      bucket: 'pictures',
      prefix: '',
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      forcePathStyle: true,
    })
    const url = 's3://pictures/p?endpoint=https%3A%2F%2Fs3.example.com%2Fstorage&region=auto&forcePathStyle=false'
    assert.deepEqual(parseStorageUrl(url), {
      kind: 's3',
      bucket: 'pictures',
      prefix: 'p/',
      endpoint: 'https://s3.example.com/storage',
      region: 'auto',
      forcePathStyle: false,
    })
  })
  it('accepts a folder', () => {
    assert.deepEqual(parseStorageUrl('file:///var/our%20blobs/'), { kind: 'files', dir: '/var/our blobs' })
  })
  for (const [url, message] of [
    ['pictures', /must be s3:\/\/bucket/],
    ['/var/blobs', /must be s3:\/\/bucket/],
    ['https://s3.example.com/pictures', /must be s3:\/\/bucket/],
    ['s3:pictures', /must name a bucket/],
    ['s3://', /must name a bucket/],
    ['s3://Pictures', /must name a bucket/],
    ['s3://-pictures', /must name a bucket/],
    ['s3://ab', /must name a bucket/],
    ['s3://key:secret@pictures', /AWS_ACCESS_KEY_ID/],
    ['s3://127.0.0.1:9000/pictures', /endpoint=http:\/\/host:port/],
    ['s3://pictures/a//b', /must have a prefix/],
    ['s3://pictures/a%2fb', /must have a prefix/],
    ['s3://pictures/ä', /must have a prefix/],
    ['s3://pictures?endpont=http://127.0.0.1', /"endpont".*endpoint, region, forcePathStyle/],
    ['s3://pictures?region=eu&region=us', /"region" only once/],
    ['s3://pictures?endpoint=127.0.0.1:9000', /an endpoint that is an http\(s\) URL/],
    ['s3://pictures?endpoint=ftp://example.com', /an endpoint that is an http\(s\) URL/],
    ['s3://pictures?endpoint=http://a:b@example.com', /an endpoint that is an http\(s\) URL/],
    ['s3://pictures?region=', /must have a region/],
    ['s3://pictures?forcePathStyle=yes', /forcePathStyle=true or/],
    ['file://host/blobs', /absolute folder/],
    ['file:///', /absolute folder/],
    ['file:///var?x=1', /absolute folder/],
  ] as const) {
    it(`rejects ${url} and names the expected form`, () => {
      assert.throws(() => parseStorageUrl(url), message)
    })
  }
})
