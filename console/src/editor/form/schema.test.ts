import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialOf, type JsonSchema, sliderOf, type Widget, widgetOf } from './schema.ts'
import { catalogueOf } from './test-catalogue.ts'
import { problemOf } from './value.ts'

const operations = await catalogueOf()

/** Every schema of the params, however deep, with its path. */
function* fieldsOf(schema: JsonSchema, name: string, path: string): Generator<[string, string, JsonSchema]> {
  yield [path, name, schema]
  for (const [key, inner] of Object.entries(schema.properties ?? {})) yield* fieldsOf(inner, key, `${path}.${key}`)
  if (schema.items !== undefined) yield* fieldsOf(schema.items, '', `${path}[]`)
}

/** Whether the widget can produce the value, inside of its bounds. */
function canMake(value: unknown, schema: JsonSchema, name = ''): boolean {
  const widget = widgetOf(schema, name)
  const takes: Record<Widget, () => boolean> = {
    anchor: () => schema.enum?.includes(value) === true,
    boolean: () => typeof value === 'boolean',
    color: () => typeof value === 'string',
    date: () => typeof value === 'string',
    font: () => typeof value === 'string',
    image: () => typeof value === 'string',
    json: () => false,
    labels: () => false,
    list: () => Array.isArray(value) && value.every((each) => canMake(each, schema.items ?? {})),
    model: () => typeof value === 'string',
    multiline: () => typeof value === 'string',
    number: () => typeof value === 'number',
    numbers: () => Array.isArray(value) && value.every((each) => typeof each === 'number'),
    object: () =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([key, field]) => canMake(field, schema.properties?.[key] ?? {}, key)),
    points: () => Array.isArray(value) && value.every((each) => Array.isArray(each) && each.length === 2),
    schema: () => typeof value === 'object',
    segments: () => schema.enum?.includes(value) === true,
    select: () => schema.enum?.includes(value) === true,
    text: () => typeof value === 'string' && !value.includes('\n'),
    url: () => typeof value === 'string',
  }
  return takes[widget]()
}

test('no param of the catalogue needs to be written as JSON', () => {
  const asJson = operations.flatMap(({ id, params }) =>
    [...fieldsOf(params, '', id)].filter(([, name, schema]) => widgetOf(schema, name) === 'json').map(([path]) => path),
  )
  assert.deepEqual(asJson, [])
})

test('the widget of every param can make the values of all examples', () => {
  const impossible = operations.flatMap(({ id, params, examples }) =>
    examples.flatMap((example) =>
      Object.entries(example.params)
        .filter(([name, value]) => !canMake(value, params.properties?.[name] ?? {}, name))
        .map(([name]) => `${id}.${name} in ${example.name}`),
    ),
  )
  assert.deepEqual(impossible, [])
  assert.ok(operations.flatMap(({ examples }) => examples).length > 200)
})

test('a slider can reach every number of the examples', () => {
  const off = operations.flatMap(({ id, params, examples }) =>
    examples
      .flatMap((example) =>
        Object.entries(example.params).filter(([name, value]) => {
          const slider = sliderOf(params.properties?.[name] ?? {})
          return typeof value === 'number' && slider !== undefined && (value < slider.min || value > slider.max)
        }),
      )
      .map(([name]) => `${id}.${name}`),
  )
  assert.deepEqual(off, [])
})

test('the initial value of every optional part of every operation is valid', () => {
  const wrong = operations.flatMap(({ id, params }) =>
    [...fieldsOf(params, '', id)]
      .filter(([, name, schema]) =>
        ['number', 'segments', 'select', 'anchor', 'boolean', 'points'].includes(widgetOf(schema, name)),
      )
      .filter(([, , schema]) => problemOf(initialOf(schema), schema) !== undefined)
      .map(([path]) => path),
  )
  assert.deepEqual(wrong, [])
})

test('common kinds of values have their widget', () => {
  const field = (operation: string, name: string) => {
    const schema = operations.find(({ id }) => id === operation)?.params.properties?.[name]
    assert.ok(schema, `${operation} has no ${name}`)
    return widgetOf(schema, name)
  }
  assert.equal(field('image', 'source'), 'image')
  assert.equal(field('generate', 'model'), 'model')
  assert.equal(field('faces', 'model'), 'model')
  assert.equal(field('generate', 'prompt'), 'multiline')
  assert.equal(field('resize', 'position'), 'anchor')
  assert.equal(field('resize', 'fit'), 'select')
  assert.equal(field('text', 'align'), 'segments')
  assert.equal(field('text', 'color'), 'color')
  assert.equal(field('text', 'font'), 'font')
  assert.equal(field('text', 'box'), 'object')
  assert.equal(field('text', 'text'), 'multiline')
  assert.equal(field('curves', 'rgb'), 'points')
  assert.equal(field('gradient-map', 'stops'), 'list')
  assert.equal(field('chart', 'series'), 'list')
})
