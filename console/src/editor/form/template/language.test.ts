import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '../../../api/operations.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { render, type TemplateScope } from './language.ts'
import { namesFor } from './names.ts'

const catalogue = new Map([
  ['image', { inputs: [], outputs: { image: 'The image.', values: {} } }],
  ['ocr', { inputs: [{ name: 'image' }], outputs: { image: null, values: { text: { type: 'string' } } } }],
  ['text', { inputs: [{ name: 'image' }], outputs: { image: 'With text.', values: {} } }],
]) as unknown as Catalogue
const document: WorkflowDocument = {
  name: 'Card',
  parameters: [
    { name: 'headline', type: 'string' },
    { name: 'width', type: 'number', default: 1200 },
    { name: 'note', type: 'string' },
  ],
  nodes: {
    photo: { type: 'image' },
    read: { type: 'ocr', inputs: { image: 'photo' } },
    title: { type: 'text', inputs: { image: 'photo' } },
    after: { type: 'text', inputs: { image: 'title' } },
    many: { type: 'text', inputs: { image: 'photo' }, each: ['one', 'two'] },
  },
}
const scope: TemplateScope = {
  names: namesFor(document, catalogue, 'title'),
  parameters: { headline: 'Hello', width: 1200 },
  nodes: new Map([['photo', { width: 640, height: 480 }]]),
}
const value = (text: string, schema = {}) => {
  const rendered = render(text, schema, scope)
  assert.equal(rendered.kind, 'value', JSON.stringify(rendered))
  return rendered.kind === 'value' ? rendered.value : undefined
}
const problem = (text: string, schema = {}) => {
  const rendered = render(text, schema, scope)
  return rendered.kind === 'problem' ? rendered.message : rendered
}

test('an entire template has the type that its field requires, as the service converts it', () => {
  assert.equal(value('{{ width }}', { type: 'integer' }), 1200)
  assert.equal(value('{{ width }}', { type: 'string' }), '1200')
  assert.equal(value('{{ width | divided_by: 2 }}', { type: 'number' }), 600)
  assert.equal(value('{% if width > 1000 %}64{% else %}48{% endif %}', { type: 'number' }), 64)
  assert.equal(value('{{ width }} px'), '1200 px')
  assert.equal(value('true{{ note }}', { type: 'boolean' }), true)
})

test('a missing parameter renders to nothing, and the setting gets its default', () => {
  assert.equal(value('{{ note }}', { type: 'number', default: 48 }), 48)
  assert.equal(value('{{ note | default: headline }}'), 'Hello')
})

test('values of nodes come from the last run, and are unknown before it', () => {
  assert.equal(value('{{ nodes.photo.width }}'), 640)
  assert.deepEqual(render('{{ nodes.read.text }}', {}, scope), { kind: 'unknown', names: ['nodes.read.text'] })
})

test('names, types, bounds and syntax that the service would reject are reported', () => {
  assert.match(String(problem('{{ heading }}')), /"heading", which does not exist. Did you mean "headline"/)
  assert.match(String(problem('{{ nodes.gone.width }}')), /"gone", which does not exist/)
  assert.match(
    String(problem('{{ nodes.photo.colour }}')),
    /"colour" of node "photo", which does not exist. Available: "width", "height", "format"/,
  )
  assert.match(String(problem('{{ nodes.after.width }}')), /comes after this one/)
  assert.match(String(problem('{{ headline }}', { type: 'integer' })), /must be a whole number, not "Hello"/)
  assert.match(String(problem('{{ width }}', { type: 'integer', maximum: 1000 })), /at most 1000/)
  assert.match(String(problem('{{ headline | shout }}')), /uses the filter "shout", which does not exist/)
  assert.match(String(problem('{% if width %}')), /not a valid template/)
  assert.match(String(problem('{{ item }}')), /only available in nodes with `each`/)
})

test('fields that the schema of a parameter or of an item does not have are reported', () => {
  const person = { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } } as const
  const typed: WorkflowDocument = {
    ...document,
    parameters: [{ name: 'people', type: 'string', format: 'json', schema: { type: 'array', items: person } }],
    nodes: {
      photo: { type: 'image', each: '{{ people }}' },
      title: { type: 'text', inputs: { image: 'photo' } },
    },
  }
  const names = namesFor(typed, catalogue, 'title')
  const people = [{ name: 'Ada' }]
  const known = { names, parameters: { people }, item: { item: people[0], index: 0 }, nodes: new Map() }
  const messageOf = (text: string) => {
    const rendered = render(text, {}, known)
    return rendered.kind === 'problem' ? rendered.message : rendered.kind
  }
  assert.deepEqual(render('{{ people[0].name }}, {{ item.name }}', {}, known), { kind: 'value', value: 'Ada, Ada' })
  assert.match(
    messageOf('{{ people[0].nmae }}'),
    /uses "people.0.nmae", which its schema doesn't have. Did you mean "name"/,
  )
  assert.match(messageOf('{{ item.nmae }}'), /uses "item.nmae"/)
  assert.match(messageOf('{{ people.name }}'), /"people", which is a list. Read one of its items, as in people\[0\]/)
})

test('the fields of a structured value are known if the node has its schema', () => {
  const operations = new Map<string, unknown>([
    ...catalogue,
    [
      'write',
      {
        inputs: [],
        outputs: { image: null, values: { text: {}, result: {} }, structured: { value: 'result', param: 'schema' } },
      },
    ],
  ]) as unknown as Catalogue
  const schema = { type: 'object', additionalProperties: false, properties: { headline: { type: 'string' } } }
  const namesWith = (params: Record<string, unknown>) =>
    namesFor({ name: 'Card', nodes: { copy: { type: 'write', params }, title: { type: 'text' } } }, operations, 'title')
  assert.deepEqual(
    namesWith({})
      .map(({ name }) => name)
      .filter((name) => name.startsWith('nodes.copy')),
    ['nodes.copy.text'],
  )
  const names = namesWith({ schema })
  assert.ok(names.some(({ name }) => name === 'nodes.copy.result'))
  const messageOf = (text: string) => {
    const rendered = render(text, {}, { names, parameters: {}, nodes: new Map() })
    return rendered.kind === 'problem' ? rendered.message : rendered.kind
  }
  assert.equal(messageOf('{{ nodes.copy.result.headline }}'), 'unknown')
  assert.match(
    messageOf('{{ nodes.copy.result.hedline }}'),
    /"nodes.copy.result.hedline", which its schema doesn't have. Did you mean/,
  )
})

test('the limits of the service are reported while the template is edited', () => {
  assert.match(String(problem('{% for a in (1..100000000) %}x{% endfor %}')), /exceeds the (time|memory) limit/)
  assert.match(String(problem(`{{ width${' | plus: 1'.repeat(101)} }}`)), /at most 100 operators and filters/)
  assert.match(String(problem('x'.repeat(20_001))), /at most 20000 characters, not 20001/)
  assert.match(
    String(problem('{{ headline | split: "" }}'.replace('headline', `"${'a'.repeat(6_000)}"`))),
    /at most 5000 values/,
  )
})

test('only a node over a list has item and index, and its values a count', () => {
  const names = (node: string | undefined) => namesFor(document, catalogue, node).map(({ name }) => name)
  assert.ok(!names('title').includes('item'))
  assert.ok(names('many').includes('item') && names('many').includes('index'))
  assert.ok(names(undefined).includes('nodes.many.count'))
  assert.deepEqual(
    names(undefined).filter((name) => name.startsWith('nodes.read.')),
    ['nodes.read.text'],
  )
})
