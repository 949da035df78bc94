import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputOf } from '../form/test-catalogue.ts'
import { formatDefaults, formatOptions, outputSchema, outputSchemaFor } from './output-schema.ts'

const service = await outputOf()

test('the form of the output has the settings, bounds and texts of the service', () => {
  const declared = JSON.parse(JSON.stringify(service.OutputSettings.properties)) as Record<
    string,
    Record<string, unknown>
  >
  // The service checks the file name.
  const { name, ...others } = declared
  const { name: nameHere, ...othersHere } = outputSchema.properties ?? {}
  assert.deepEqual(othersHere, others)
  assert.equal(nameHere?.description, name?.description)
  assert.equal(nameHere?.maxLength, name?.maxLength)
})

test('offers the options of the format that the service declares', () => {
  const serviceOptions = Object.entries(service.formatOptions).map(([format, options]) => [
    format,
    Object.keys(options),
  ])
  assert.deepEqual(formatOptions, Object.fromEntries(serviceOptions))
})

test('a setting that the format does not have is shown while it is set', () => {
  const names = (settings: Record<string, unknown>) => Object.keys(outputSchemaFor(settings).properties ?? {})
  assert.ok(!names({ format: 'gif' }).includes('quality'))
  assert.ok(names({ format: 'gif', quality: 80 }).includes('quality'))
  assert.ok(names({ format: '{{ format }}' }).includes('chroma'))
})

test('the defaults of each format are those that the service declares', () => {
  for (const [format, declared] of Object.entries(service.formatOptions)) {
    const { quality, chroma, lossless, ...others } = formatDefaults[format] ?? {}
    const serviceOptions = [
      /\d+$/.exec(declared.quality ?? '')?.[0],
      declared.chroma,
      /^\w+/.exec(declared.lossless ?? '')?.[0],
    ]
    assert.deepEqual(
      [quality, chroma, lossless].map((value) => (value === undefined ? undefined : String(value))),
      serviceOptions,
      format,
    )
    const options = Object.keys(declared)
    for (const name of Object.keys(others)) assert.ok(options.includes(name), `${format} has ${name}`)
  }
})

test('a default depends on the other settings, and on the image without a format', () => {
  const defaultOf = (name: string, settings: Record<string, unknown>) =>
    outputSchemaFor(settings).properties?.[name]?.default
  assert.equal(defaultOf('quality', { format: 'avif' }), 50)
  assert.equal(defaultOf('quality', { format: 'avif', maxBytes: 20_000 }), 100)
  assert.equal(defaultOf('quality', { format: '{{ format }}' }), undefined)
  assert.equal(defaultOf('progressive', { format: 'jpeg', effort: 'high' }), true)
  assert.equal(defaultOf('lossless', { format: 'png' }), true)
  assert.equal(defaultOf('lossless', {}), undefined)
})
