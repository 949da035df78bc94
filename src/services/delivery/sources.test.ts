import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import { sourceRule } from './sources.ts'

const document: WorkflowDocument = {
  name: 'Card',
  nodes: {
    logo: { type: 'image', params: { source: 'https://cdn.example/logo.png' } },
    photo: { type: 'image', params: { source: 'https://cdn.example/{{ photo }}' } },
    more: { type: 'image', params: { source: ['https://cdn.example/"1".png', 'img_1'] } },
  },
  output: { node: 'logo' },
  delivery: { sources: ['images.example', '*.shop.example'] },
}

test('a URL is allowed if its host is listed, or if it is in the document exactly', () => {
  const isAllowed = sourceRule(document)
  for (const url of ['https://images.example/any.png', 'https://a.shop.example/', 'https://cdn.example/logo.png'])
    assert.ok(isAllowed(url), url)
  assert.ok(isAllowed('https://cdn.example/"1".png'))
  for (const url of ['https://cdn.example/other.png', 'https://cdn.example/', 'cdn.example', 'https://shop.example/'])
    assert.ok(!isAllowed(url), url)
})

test('the document is read once for all URLs, and not at all for listed hosts', () => {
  let reads = 0
  const counted = new Proxy(document, {
    ownKeys(target) {
      reads += 1
      return Reflect.ownKeys(target)
    },
  })
  const isAllowed = sourceRule(counted)
  assert.ok(isAllowed('https://images.example/1.png'))
  assert.equal(reads, 0)
  for (let i = 0; i < 100; i += 1) assert.ok(!isAllowed(`https://cdn.example/${i}.png`))
  assert.equal(reads, 1)
})
