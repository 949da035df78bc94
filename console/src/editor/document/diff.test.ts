import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { diffDocuments } from './diff.ts'
import { diffTexts } from './text-diff.ts'

const card: WorkflowDocument = {
  name: 'Card',
  parameters: [
    { name: 'photo', type: 'string', required: true },
    { name: 'headline', type: 'string', default: 'Hello' },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    cover: { type: 'resize', inputs: { image: 'photo' }, params: { width: 1200, height: 630, fit: 'cover' } },
    title: {
      type: 'text',
      inputs: { image: 'cover' },
      params: { text: '{{ headline }}', box: { x: 64, y: 400, width: '{{ nodes.cover.width | minus: 128 }}' } },
    },
  },
  output: { node: 'title', format: 'webp', quality: 82 },
  layout: { photo: [0, 0], cover: [240, 0], title: [480, 0] },
}

function changed(change: (document: WorkflowDocument) => void): WorkflowDocument {
  const document = structuredClone(card)
  change(document)
  return document
}

const kindOf = (diff: ReturnType<typeof diffDocuments>, id: string) => diff.nodes.find((node) => node.id === id)?.kind

test('A document equals itself with its names in any order', () => {
  const turned = { ...card, nodes: Object.fromEntries(Object.entries(card.nodes).toReversed()) }
  const diff = diffDocuments(card, turned)
  assert.equal(diff.isSame, true)
  assert.ok(diff.nodes.every(({ kind, isMoved }) => kind === 'same' && !isMoved))
})

test('a changed param is listed with its path and both values', () => {
  const diff = diffDocuments(
    card,
    changed(({ nodes }) => {
      Object.assign(nodes.title?.params?.box as object, { x: 72, height: 180 })
    }),
  )
  assert.deepEqual(diff.nodes.find(({ id }) => id === 'title')?.changes, [
    { path: 'params.box.x', before: 64, after: 72 },
    { path: 'params.box.height', before: undefined, after: 180 },
  ])
  assert.equal(kindOf(diff, 'cover'), 'same')
})

test('A node that is inserted between two others removes one wire and adds two', () => {
  const diff = diffDocuments(
    card,
    changed(({ nodes }) => {
      nodes.soft = { type: 'blur', inputs: { image: 'cover' } }
      if (nodes.title) nodes.title.inputs = { image: 'soft' }
    }),
  )
  assert.equal(kindOf(diff, 'soft'), 'added')
  assert.equal(kindOf(diff, 'title'), 'changed')
  const wires = diff.wires
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, source, target }) => `${kind} ${source} ${target}`)
  assert.deepEqual(wires.toSorted(), ['added cover soft', 'added soft title', 'removed cover title'])
})

test('a moved card is marked as moved, and the documents count as equal', () => {
  const diff = diffDocuments(
    card,
    changed((document) => {
      document.layout = { photo: [0, 0], cover: [240, 80], title: [480, 0] }
    }),
  )
  assert.equal(diff.isSame, true)
  assert.deepEqual(
    diff.nodes.filter(({ isMoved }) => isMoved).map(({ id }) => id),
    ['cover'],
  )
})

test('A renamed node is recognized, with the wires and templates that name it', () => {
  const diff = diffDocuments(
    card,
    changed((document) => {
      const { cover, title, ...rest } = document.nodes
      if (cover === undefined || title === undefined) throw new Error('The card has both.')
      const params = { text: '{{ headline }}', box: { x: 64, y: 400, width: '{{ nodes.hero.width | minus: 128 }}' } }
      document.nodes = { ...rest, hero: cover, title: { ...title, inputs: { image: 'hero' }, params } }
    }),
  )
  const hero = diff.nodes.find(({ id }) => id === 'hero')
  assert.equal(hero?.renamedFrom, 'cover')
  assert.equal(hero?.kind, 'same')
  assert.equal(kindOf(diff, 'title'), 'same')
  assert.ok(diff.wires.every(({ kind }) => kind === 'same'))
  assert.equal(diff.isSame, false)
})

test('Nodes that are renamed together are recognized, even with a changed param', () => {
  const diff = diffDocuments(
    card,
    changed((document) => {
      document.nodes = {
        source: { type: 'image', params: { source: '{{ photo }}' } },
        hero: { type: 'resize', inputs: { image: 'source' }, params: { width: 1200, height: 600, fit: 'cover' } },
        words: {
          type: 'text',
          inputs: { image: 'hero' },
          params: { text: '{{ headline }}', box: { x: 64, y: 400, width: '{{ nodes.hero.width | minus: 128 }}' } },
        },
      }
      document.output = { node: 'words', format: 'webp', quality: 82 }
    }),
  )
  const former = diff.nodes.map(({ id, renamedFrom }) => [id, renamedFrom])
  assert.deepEqual(former, [
    ['source', 'photo'],
    ['hero', 'cover'],
    ['words', 'title'],
  ])
  assert.deepEqual(diff.output, [])
  assert.deepEqual(diff.nodes[1]?.changes, [{ path: 'params.height', before: 630, after: 600 }])
})

test('another operation in the same position does not count as a rename', () => {
  const diff = diffDocuments(
    card,
    changed(({ nodes }) => {
      delete nodes.cover
      nodes.cut = { type: 'crop', inputs: { image: 'photo' }, params: { width: 1200, height: 630 } }
      if (nodes.title) nodes.title.inputs = { image: 'cut' }
    }),
  )
  assert.equal(kindOf(diff, 'cover'), 'removed')
  assert.equal(kindOf(diff, 'cut'), 'added')
})

test('A renamed parameter is recognized by its references, and a new one is not mistaken for it', () => {
  const diff = diffDocuments(
    card,
    changed((document) => {
      document.parameters = [
        { name: 'photo', type: 'string', required: true },
        { name: 'words', type: 'string', default: 'Hello' },
        { name: 'color', type: 'string', default: 'white' },
      ]
      Object.assign(document.nodes.title?.params ?? {}, { text: '{{ words }}', color: '{{ color }}' })
    }),
  )
  assert.deepEqual(
    diff.parameters.map(({ name, kind, renamedFrom }) => [name, kind, renamedFrom]),
    [
      ['photo', 'same', undefined],
      ['words', 'changed', 'headline'],
      ['color', 'added', undefined],
    ],
  )
  assert.deepEqual(
    diff.nodes.flatMap(({ changes }) => changes.map(({ path }) => path)),
    ['params.color'],
  )
})

test('Comparing changes neither document', () => {
  const before = structuredClone(card)
  const after = changed((document) => {
    document.nodes = { other: { type: 'image', params: { source: '{{ photo }}' } } }
  })
  diffDocuments(before, after)
  assert.deepEqual(before, card)
})

test('Texts are compared word by word, and both can be restored from the comparison', () => {
  const [before, after] = ['A thing of beauty is a joy for ever.', 'A thing of joy is a beauty, for ever and ever.']
  const parts = diffTexts(before, after)
  const read = (without: string) => parts.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('')
  assert.equal(read('added'), before)
  assert.equal(read('removed'), after)
  assert.deepEqual(diffTexts('same', 'same'), [{ kind: 'same', text: 'same' }])
  assert.deepEqual(parts[0], { kind: 'same', text: 'A thing of ' })
  assert.deepEqual(diffTexts('über naïve', 'über 漢字'), [
    { kind: 'same', text: 'über ' },
    { kind: 'removed', text: 'naïve' },
    { kind: 'added', text: '漢字' },
  ])
  const [old, other] = ['a b '.repeat(400), 'c d '.repeat(400)]
  assert.deepEqual(diffTexts(old, other), [
    { kind: 'removed', text: old },
    { kind: 'added', text: other },
  ])
})
