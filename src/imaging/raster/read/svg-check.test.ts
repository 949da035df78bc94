import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../limits.ts'
import { isFault } from '../test-faults.ts'
import { countTurns } from '../test-turns.ts'
import { checkSvg } from './svg-check.ts'

const svg = (inside: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)

test('other work has turns while a large SVG is checked', async () => {
  const turns = countTurns()
  await checkSvg(svg('<g/>'.repeat((limits.svgBytesMax - 100) / 4)))
  turns.stop()
  assert.ok(turns.count() >= 7, `${turns.count()}`)
})

test('finds what is not allowed wherever the text is divided', async () => {
  for (let at = 32_768 - 60; at < 32_768; at += 1) {
    const space = ' '.repeat(at - svg('').length + '</svg>'.length)
    await checkSvg(svg(`${space}<text>\u{1f600}\u{1f600}</text>`))
    await assert.rejects(checkSvg(svg(`${space}<g onload="x"/>`)), isFault('input_invalid', /event handler onload/))
    await assert.rejects(
      checkSvg(svg(`${space}<style>a{} @import "x";</style>`)),
      isFault('input_invalid', /has an @import/),
    )
  }
})

test('refuses an element with many attributes, which would be checked without turns for other work', async () => {
  const element = (attributes: number) =>
    `<g ${Array.from({ length: attributes }, (_, at) => `a${at}="("`).join(' ')}/>`
  await checkSvg(svg(element(limits.svgAttributesMax).repeat(2)))
  await assert.rejects(
    checkSvg(svg(element(limits.svgAttributesMax + 1))),
    isFault('limit_exceeded', /more than 500 attributes/),
  )
})
