import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputsOf, pictureHtml, type ShownOutput } from './outputs.ts'

const file = (format: 'avif' | 'jpeg', width: number) => ({
  url: `https://images.example.com/images/${format}-${width}`,
  imageId: `${format}-${width}`,
  width,
  height: width / 2,
  format,
  size: 10,
})

const hero: ShownOutput = {
  ...file('jpeg', 800),
  name: 'hero',
  files: [file('avif', 400), file('avif', 800), file('jpeg', 400), file('jpeg', 800)],
  srcset: { avif: 'a 400w, b 800w', jpeg: 'c 400w, d 800w' },
  color: '#102030',
}

test('the HTML of a set has a source for each format, and an image in the last one', () => {
  assert.equal(
    pictureHtml(hero),
    `<picture>
  <source type="image/avif" srcset="a 400w, b 800w" sizes="100vw" />
  <img src="https://images.example.com/images/jpeg-800" srcset="c 400w, d 800w" sizes="100vw" width="800" height="400" alt="" style="background: #102030" />
</picture>
`,
  )
})

test('the primary output comes first, and a failed execution has none', () => {
  const primary = { url: 'https://images.example.com/images/p', width: 1, height: 1, format: 'png' as const }
  assert.deepEqual(outputsOf({ output: primary, outputs: [hero as never] }), [primary, hero])
  assert.deepEqual(outputsOf({}), [])
})
