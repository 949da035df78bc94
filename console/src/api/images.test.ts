import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thumbnailPath } from './images.ts'

test('the path of a thumbnail has the id of the image, at the address of the service and of a CDN', () => {
  for (const url of [
    'https://images.example.com/images/img_06gz.webp',
    'https://cdn.example.com/some/prefix/img_06gz.png',
    '/images/img_06gz.jpg',
    'img_06gz.svg',
  ])
    assert.equal(thumbnailPath(url), '/images/img_06gz/thumbnail')
})
