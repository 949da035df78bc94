import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import {
  isEditable,
  kindOf,
  kinds,
  moveField,
  newFieldName,
  ofKind,
  removeField,
  renameField,
  setRequired,
  settingsOf,
} from './kinds.ts'

const person: ValueSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, photo: { type: 'string', format: 'image' }, age: { type: 'integer' } },
  required: ['name', 'age'],
}

test('a schema of each kind is of that kind, and keeps the texts for people', () => {
  for (const kind of kinds) {
    const made = ofKind(kind, { type: 'number', title: 'Size', description: 'In pixels', minimum: 3 })
    assert.equal(kindOf(made), kind)
    assert.deepEqual([made.title, made.description, made.minimum], ['Size', 'In pixels', undefined])
    assert.ok(isEditable(made))
  }
})

test('an object becomes the items of a list, and back', () => {
  const list = ofKind('array', person)
  assert.deepEqual(list.items, person)
  assert.deepEqual(ofKind('object', list), person)
  assert.deepEqual(ofKind('array', { type: 'string' }).items, { type: 'string' })
})

test('fields keep their order and whether they are required', () => {
  const renamed = renameField(person, 'name', 'fullName')
  assert.deepEqual(Object.keys(renamed.properties ?? {}), ['fullName', 'photo', 'age'])
  assert.deepEqual(renamed.required, ['fullName', 'age'])
  assert.deepEqual(Object.keys(moveField(person, 'age', -1).properties ?? {}), ['name', 'age', 'photo'])
  const left = removeField(removeField(person, 'name'), 'age')
  assert.deepEqual([Object.keys(left.properties ?? {}), left.required], [['photo'], undefined])
  assert.deepEqual(setRequired(person, 'photo', true).required, ['name', 'age', 'photo'])
  assert.deepEqual(setRequired(person, 'name', false).required, ['age'])
  assert.equal(newFieldName({ field2: {} }), 'field3')
})

test('schemas that the editor can not show are edited as JSON', () => {
  for (const schema of [
    undefined,
    [],
    {},
    { type: ['string', 'null'] },
    { type: 'array' },
    { type: 'object', properties: { a: {} } },
  ])
    assert.equal(isEditable(schema), false, JSON.stringify(schema))
})

test('settings are those of the kind', () => {
  const namesOf = (schema: ValueSchema, isField = true) => Object.keys(settingsOf(schema, isField).properties ?? {})
  assert.deepEqual(namesOf({ type: 'string' }), ['minLength', 'maxLength', 'default', 'title', 'description'])
  assert.deepEqual(namesOf({ type: 'string', enum: ['a'] }, false), ['enum'])
  assert.deepEqual(namesOf({ type: 'array', items: person }, false), ['minItems', 'maxItems'])
  assert.deepEqual(namesOf(person), ['additionalProperties', 'title', 'description'])
})
