import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '../../api/operations.ts'
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import { parameterOf } from '../inspector/promote.ts'
import { parametersSchema } from './parameter-schema.ts'
import { widgetOf } from './schema.ts'
import { catalogueOf } from './test-catalogue.ts'

const operations = await catalogueOf()
const catalogue = new Map(operations.map((operation) => [operation.id, operation])) as unknown as Catalogue

const parameters: Parameter[] = [
  { name: 'photo', type: 'string', required: true },
  { name: 'logo', type: 'string' },
  { name: 'headline', type: 'string', required: true, default: 'Hello' },
  { name: 'tint', type: 'string' },
  { name: 'size', type: 'number', minimum: 10, maximum: 100 },
  { name: 'place', type: 'string', enum: ['left', 'right'] },
]
const document: WorkflowDocument = {
  name: 'Card',
  parameters,
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    logo: { type: 'image', params: { source: "{{ logo | default: 'https://example.com/a.png' }}" } },
    title: {
      type: 'text',
      params: {
        text: '{{ headline }}',
        size: '{{ size }}',
        color: '{{tint}}',
        align: '{{ place }}',
        box: { width: '{{ size }}', height: 4 },
      },
    },
  },
}

test('a parameter gets the widget of the setting that it feeds', () => {
  const { properties = {}, required } = parametersSchema(parameters, document, catalogue)
  const widgets = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, widgetOf(schema, name)]))
  assert.deepEqual(widgets, {
    photo: 'image',
    logo: 'image',
    headline: 'multiline',
    tint: 'color',
    size: 'number',
    place: 'segments',
  })
  assert.deepEqual(required, ['photo', 'headline'])
  assert.deepEqual([properties.size?.minimum, properties.size?.maximum, properties.size?.['x-unit']], [10, 100, 'px'])
})

test('without a document every parameter still has a field', () => {
  const { properties = {} } = parametersSchema(parameters, undefined, new Map())
  assert.deepEqual(
    Object.keys(properties),
    parameters.map(({ name }) => name),
  )
})

test('a setting that becomes a parameter keeps its value and its bounds', () => {
  const text = operations.find(({ id }) => id === 'text')?.params ?? {}
  assert.deepEqual(parameterOf(text, 'box.width', 200), {
    name: 'width',
    type: 'number',
    default: 200,
    minimum: 1,
    maximum: 16384,
  })
  assert.deepEqual(parameterOf(text, 'align', 'center'), {
    name: 'align',
    type: 'string',
    default: 'center',
    enum: ['left', 'center', 'right', 'justify'],
  })
  assert.deepEqual(parameterOf(text, 'text', undefined), { name: 'text', type: 'string', required: true })
})
