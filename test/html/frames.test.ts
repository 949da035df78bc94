/** The frames of the elements of all cards agree with pixels. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pMap from 'p-map'
import { imageFromBytes } from '../../src/imaging/raster/image.ts'
import { html } from '../../src/operations/text/html.ts'
import { context } from '../golden/render.ts'
import { cardNames, loadCard, sampleOf } from './card.ts'
import { elementAgreements } from './element-agreements.ts'

test('the frame of an element is where its pixels change', async (t) => {
  const all = (await pMap(cardNames, agreementsOf, { concurrency: 2 })).flat()
  const wrong = all.filter(({ overlap }) => overlap < 0.98)
  for (const { card, frame, overlap } of wrong) t.diagnostic(`${card} ${frame.id}: ${overlap.toFixed(3)}`)
  t.diagnostic(`${all.length} elements of ${cardNames.length} cards, ${wrong.length} below 0.98`)
  assert.ok(all.length >= 200, `${all.length} elements`)
  assert.ok(wrong.length <= all.length / 100)
})

async function agreementsOf(name: string) {
  const card = await loadCard(name)
  const files = await Promise.all(card.images.map((image) => readFile(sampleOf(image))))
  const images = await Promise.all(files.map((file) => imageFromBytes(file, context)))
  return (await elementAgreements(card, images)).map((agreement) => ({ card: name, ...agreement }))
}

test('an element has a frame if its box is certain: not a part of a line, and not one beside generated content', async () => {
  const framesOf = async (markup: string, css = '') => {
    const params = { html: markup, css, width: 200, scale: 2, missingGlyphs: 'warn' }
    const { drawn = [] } = await html.run({ images: [] } as never, params as never, {
      ...context,
      wires: { images: [] },
    })
    return drawn.filter(({ id }) => id !== 'size')
  }
  const idsOf = async (markup: string, css?: string) => (await framesOf(markup, css)).map(({ id }) => id)
  assert.deepEqual(await idsOf('<h1 id="title">One</h1><p>Two <b>bold</b></p><p>Three</p>'), ['#title', 'p', 'p-2'])
  const items = '<div class="row"><b>One</b><i>Two</i></div>'
  assert.deepEqual(await idsOf(items), [])
  assert.deepEqual(await idsOf(items, '.row { display: flex }'), ['b', 'i'])
  const badge = '.a { position: relative } .a::before { content: "New"; position: absolute; display: block }'
  assert.deepEqual(await idsOf('<div class="a"><p>One</p><b>Two</b></div><p>Three</p>', badge), ['p-2'])
  const [turned] = await framesOf('<div id="a">A</div>', '#a { width: 40px; height: 20px; transform: rotate(30deg) }')
  assert.deepEqual([turned?.kind, Math.round(turned?.rotation ?? 0)], ['box', 30])
  assert.deepEqual(
    turned?.points.map((point) => point.map(Math.round)),
    [
      [0, 0],
      [80, 40],
    ],
  )
  const [skewed] = await framesOf('<div id="a">A</div>', '#a { width: 40px; height: 20px; transform: skewX(20deg) }')
  assert.deepEqual([skewed?.kind, skewed?.points.length], ['quad', 4])
})
