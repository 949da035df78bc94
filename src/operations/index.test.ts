import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { checker } from '../domain/validate.ts'
import { groups } from './define.ts'
import { catalogue } from './index.ts'

const operations = [...catalogue.values()]

test('the catalogue has every operation of the first release', () => {
  assert.ok(operations.length >= 16, `found ${operations.length}`)
})

test("every file of a group's folder is registered under its own name and group, and nothing else is", () => {
  const files = groups.flatMap((group) => operationFiles(group).map((file) => ({ id: file.replace('.ts', ''), group })))
  const known = operations.map(({ id, group }) => ({ id, group }))
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  assert.deepEqual(files.sort(byId), known.sort(byId))
})

test('operations without image inputs have no frames, and all others declare how they handle them', () => {
  for (const { id, inputs, frames } of operations) {
    if (id === 'image') continue
    assert.equal(Object.keys(inputs).length === 0, frames === 'none', id)
  }
})

test('every operation has a description and an example', () => {
  for (const { id, title, summary, version, group, outputs, examples, inputs } of operations) {
    assert.ok(title && summary.endsWith('.') && outputs.image?.endsWith('.') !== false, id)
    assert.ok(outputs.image !== undefined || Object.keys(outputs.values ?? {}).length > 0, `${id} gives nothing`)
    assert.ok(Number.isInteger(version) && version >= 1, id)
    assert.ok(groups.includes(group), id)
    assert.ok(examples.length > 0, id)
    assert.equal(new Set(examples.map(({ name }) => name)).size, examples.length, `${id}: two examples of one name`)
    for (const [name, socket] of Object.entries(inputs)) assert.ok(socket.description, `${id}.${name}`)
  }
})

test('every operation has distinct keywords in lower case that add to its id and title', () => {
  for (const { id, title, keywords } of operations) {
    assert.ok(keywords.length > 0, id)
    assert.equal(new Set(keywords).size, keywords.length, id)
    for (const keyword of keywords) {
      assert.equal(keyword, keyword.toLowerCase().trim(), id)
      assert.ok(keyword !== id && keyword !== title.toLowerCase(), `${id}: ${keyword}`)
    }
  }
})

test('every param of every operation has a title and a description, and unknown ones are rejected', () => {
  let seen = 0
  for (const { id, params } of operations) {
    eachObject(params, id, (schema, path) => {
      assert.equal(schema.additionalProperties, false, `${path} takes unknown properties`)
      for (const [name, property] of Object.entries(schema.properties as Record<string, Described>)) {
        assert.ok(property.description && property.title, `${path}.${name} has no title or description`)
        seen += 1
      }
    })
  }
  assert.ok(seen > 60, `saw ${seen}`)
})

test('every number and every text has bounds', () => {
  for (const { id, params } of operations) {
    eachObject(params, id, (schema, path) => {
      for (const [name, property] of Object.entries(schema.properties as Record<string, Described>)) {
        const where = `${path}.${name}`
        if (property.type === 'number' || property.type === 'integer') {
          assert.ok(property.minimum !== undefined && property.maximum !== undefined, where)
        }
        if (property.type === 'string' && property.enum === undefined)
          assert.ok(property.maxLength !== undefined, where)
      }
    })
  }
})

test('every example matches the schema of its operation, and wires only existing sockets', () => {
  for (const { id, params, inputs, examples } of operations) {
    for (const example of examples) {
      assert.deepEqual(checker(params)(structuredClone(example.params)), [], `${id}: ${example.name}`)
      const wired = Object.keys(example.inputs ?? {})
      for (const name of wired) assert.ok(name in inputs, `${id}: ${example.name}: ${name}`)
      for (const [name, { required }] of Object.entries(inputs)) {
        assert.ok(!required || wired.includes(name), `${id}: ${example.name} lacks ${name}`)
      }
    }
  }
})

test('every default matches its own schema', () => {
  for (const { id, params } of operations) {
    for (const [name, property] of Object.entries(params.properties as Record<string, Described>)) {
      if (property.default === undefined) continue
      assert.deepEqual(checker(property as unknown as TSchema)(property.default), [], `${id}.${name}`)
    }
  }
})

const wrongTogether: [string, Record<string, unknown>, RegExp][] = [
  ['resize', {}, /one of "width", "height"/],
  ['resize', { fit: 'cover' }, /one of "width", "height"/],
  ['composite', { x: 4 }, /\by\b/],
  ['composite', { x: 4, y: 4, position: 'north' }, /position/],
  ['extend', {}, /one of "top", "right", "bottom", "left"/],
  ['round', {}, /one of "radius", .*"circle"/],
  ['round', { radius: 4, circle: true }, /circle/],
  ['sharpen', { flat: 2 }, /sigma/],
]

for (const [id, params, message] of wrongTogether) {
  test(`${id} rejects ${JSON.stringify(params)} when the workflow is saved, and names the missing or extra param`, () => {
    const schema = catalogue.get(id)?.params
    assert.ok(schema)
    const issues = checker(schema)(structuredClone(params))
    assert.equal(issues.length, 1, JSON.stringify(issues))
    assert.match(`${issues[0]?.path}: ${issues[0]?.message}`, message)
  })
}

function operationFiles(group: string): string[] {
  const folder = join(import.meta.dirname, group)
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

interface Described {
  type?: string
  additionalProperties?: boolean
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Record<string, Described>
}

/** Visits a params schema and the objects inside it. */
function eachObject(schema: object, path: string, visit: (schema: TSchema & Described, path: string) => void): void {
  const object = schema as TSchema & Described
  visit(object, path)
  for (const [name, property] of Object.entries(object.properties ?? {})) {
    if (property.properties) eachObject(property, `${path}.${name}`, visit)
  }
}
