import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodesBeforePins, withPinnedImages } from './pinned.ts'

const pinned = 'img_06h15xnfhw00snp469yjg5mdfjbs'
const nodes = {
  photo: { type: 'image', params: { source: '{{ photo }}' } },
  cut: { type: 'crop', inputs: { image: 'photo' }, params: { width: 4 }, when: '{{ photo }}', pinned },
  small: { type: 'resize', inputs: { image: 'cut' } },
  card: { type: 'composite', inputs: { image: 'small', overlay: ['photo', 'sign.story'] } },
  sign: { type: 'workflow', workflow: 'sign@1' },
}

test('a pinned node is executed as the source of its image, and all other nodes stay as they are', () => {
  const document = { nodes }
  const executed = withPinnedImages(document)
  assert.deepEqual(executed.nodes.cut, { type: 'image', params: { source: pinned } })
  assert.equal(executed.nodes.small, nodes.small)
  assert.equal(document.nodes.cut, nodes.cut, 'the document keeps its settings')
  const without = { nodes: { photo: nodes.photo } }
  assert.equal(withPinnedImages(without), without)
})

test('the nodes before a pin wait for its end', () => {
  assert.deepEqual([...nodesBeforePins({ nodes })].sort(), ['cut', 'photo'])
  assert.equal(nodesBeforePins({ nodes: { photo: nodes.photo } }).size, 0)
})
