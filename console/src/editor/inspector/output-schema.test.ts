import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputOf } from '../form/test-catalogue.ts'
import { formatOptions, outputSchema, outputSchemaFor } from './output-schema.ts'

const service = await outputOf()

test('the form of the output has the settings, bounds and texts of the service', () => {
  const own = JSON.parse(JSON.stringify(service.OutputSettings.properties)) as Record<string, Record<string, unknown>>
  // The service checks the file name.
  const { name, ...others } = own
  const { name: nameHere, ...othersHere } = outputSchema.properties ?? {}
  assert.deepEqual(othersHere, others)
  assert.equal(nameHere?.description, name?.description)
  assert.equal(nameHere?.maxLength, name?.maxLength)
})

test('offers the options of the format that the service declares', () => {
  const theirs = Object.entries(service.formatOptions).map(([format, options]) => [format, Object.keys(options)])
  assert.deepEqual(formatOptions, Object.fromEntries(theirs))
})

test('a setting that the format does not have is shown while it is set', () => {
  const names = (settings: Record<string, unknown>) => Object.keys(outputSchemaFor(settings).properties ?? {})
  assert.ok(!names({ format: 'gif' }).includes('quality'))
  assert.ok(names({ format: 'gif', quality: 80 }).includes('quality'))
  assert.ok(names({ format: '{{ format }}' }).includes('chroma'))
})
