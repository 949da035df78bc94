import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputOf, outputsOf } from '../form/test-catalogue.ts'
import { namedProperties, namedSchemaFor } from './named-output-schema.ts'

const service = await outputsOf()
const { OutputSettings } = await outputOf()

test('the form of a named output has the settings, bounds and texts of the service', () => {
  const declared = JSON.parse(JSON.stringify(service.NamedOutputSettings.properties)) as Record<string, unknown>
  const settings = Object.entries(declared).filter(
    ([name]) => name === 'format' || !Object.hasOwn(OutputSettings.properties ?? {}, name),
  )
  assert.deepEqual(namedProperties, Object.fromEntries(settings))
})

test('each kind has its settings, and others while they are set', () => {
  const names = (settings: Record<string, unknown>) => Object.keys(namedSchemaFor(settings).properties ?? {})
  const image = names({})
  assert.ok(image.includes('width') && image.includes('format') && !image.includes('pageSize'))
  assert.ok(!names({ format: 'gif' }).includes('quality'))
  assert.ok(names({ widths: [1] }).includes('format'))
  assert.ok(!names({ formats: ['png'] }).includes('format'))
  assert.deepEqual(namedSchemaFor({}).properties?.format?.enum?.includes('pdf'), false)
  const pdf = names({ format: 'pdf' })
  assert.ok(pdf.includes('pageSize') && !pdf.includes('format') && !pdf.includes('maxBytes'))
  assert.ok(names({ format: 'pdf', maxBytes: 1000 }).includes('maxBytes'))
  assert.equal(namedSchemaFor({ format: 'pdf' }).properties?.density?.default, 300)
})
