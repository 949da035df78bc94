import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { checkOutputOptions, formatOptions, OutputSettings, outputFormats } from './output.ts'

const guide = await readFile(new URL('../../../docs/guide/outputs.md', import.meta.url), 'utf8')
/** Settings of every format. */
const shared = ['format', 'name', 'credentials']
const options = Object.keys(OutputSettings.properties).filter((name) => !shared.includes(name))

test('the table of the guide describes each option for each format', () => {
  const rows = new Map(
    guide.split('\n').flatMap((line) => {
      const [, option, ...cells] = line.split('|').map((cell) => cell.trim())
      const name = /^`(\w+)`$/.exec(option ?? '')?.[1]
      return name ? [[name, cells.slice(0, -1)] as const] : []
    }),
  )
  for (const option of options) {
    const expected = outputFormats.map((format) => (formatOptions[format] as Record<string, string>)[option] ?? '-')
    assert.deepEqual(rows.get(option), expected, option)
  }
})

test('rejects every option that a format does not have, except quality', () => {
  let refused = 0
  for (const format of outputFormats) {
    for (const option of options) {
      const paths = checkOutputOptions({ format, [option]: 'x', lossless: undefined }, 'output').map(({ path }) => path)
      const has = Object.hasOwn(formatOptions[format], option)
      // Lossless formats accept a quality, too: one workflow serves callers of every format.
      const expected = has || option === 'quality' ? [] : [`output.${option}`]
      assert.deepEqual(option === 'lossless' ? expected : paths, expected, `${format} ${option}`)
      if (!has) refused += 1
    }
  }
  assert.ok(refused > 10, `${refused}`)
})

test('the guide explains every option', () => {
  for (const option of options) assert.match(guide, new RegExp(`^## \`${option}\`$`, 'm'), option)
})
