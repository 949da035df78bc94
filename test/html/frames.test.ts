/** The frames of the elements of all cards agree with pixels. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pMap from 'p-map'
import { imageFromBytes } from '../../src/imaging/raster/image.ts'
import { html } from '../../src/operations/text/html.ts'
import { context } from '../golden/render.ts'
import { isFull } from '../harness/repetitions.ts'
import { cardNames, frameCardNames, loadCard, sampleOf } from './card.ts'
import { agreement, elementAgreements } from './element-agreements.ts'

/** All cards in a full run, and a fourth of them otherwise. */
const suites = [
  { name: 'the cards', cards: cardNames, least: 250, leastRemoved: 50 },
  { name: 'cards for frames only', cards: frameCardNames, least: 85, leastRemoved: 25 },
].map(({ cards, least, leastRemoved, ...suite }) =>
  isFull
    ? { ...suite, cards, least, leastRemoved }
    : { ...suite, cards: cards.filter((_, i) => i % 4 === 0), least: least / 6, leastRemoved: leastRemoved / 8 },
)

for (const { name, cards, least, leastRemoved } of suites)
  test(`the frame of an element is where its pixels change when it is removed: ${name}`, async (t) => {
    const all = (await pMap(cards, agreementsOf, { concurrency: 2 })).flat()
    const wrong = all.filter(({ overlap }) => overlap < agreement)
    for (const { card, frame, overlap } of wrong) t.diagnostic(`${card} ${frame.id}: ${overlap.toFixed(3)}`)
    t.diagnostic(`${all.length} elements of ${cards.length} cards, ${wrong.length} below ${agreement}`)
    const measured = Map.groupBy(all, ({ measure }) => measure)
    t.diagnostic([...measured].map(([measure, list]) => `${measure} ${list.length}`).join(', '))
    assert.ok(all.length >= least, `${all.length} elements`)
    assert.ok((measured.get('removed')?.length ?? 0) >= leastRemoved)
    assert.ok(wrong.length <= all.length / 100)
  })

async function agreementsOf(name: string) {
  const card = await loadCard(name)
  const files = await Promise.all(card.images.map((image) => readFile(sampleOf(image))))
  const images = await Promise.all(files.map((file) => imageFromBytes(file, context)))
  return (await elementAgreements(card, images)).map((agreement) => ({ card: name, ...agreement }))
}

const framesOf = async (markup: string, css = '', size: { scale?: number; height?: number } = {}) => {
  const params = { html: markup, css, width: 200, scale: 2, missingGlyphs: 'warn', ...size }
  const { drawn = [] } = await html.run({ images: [] } as never, params as never, { ...context, wires: { images: [] } })
  return drawn.filter(({ id }) => id !== 'size')
}
const idsOf = async (markup: string, css?: string) => (await framesOf(markup, css)).map(({ id }) => id)

test('an element has a frame if its box is certain', async () => {
  assert.deepEqual(await idsOf('<h1 id="title">One</h1><p>Two</p><p>Three</p>'), ['#title', 'p', 'p-2'])
  const items = '<div class="row"><b>One</b><i>Two</i></div>'
  assert.deepEqual(await idsOf(items, '.row { display: flex }'), ['b', 'i'])
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

test('a part of one line has the frame of its text', async () => {
  const line = '<p>Two <b>bold</b> and <i>three <small>small</small></i></p>'
  assert.deepEqual(await idsOf(line), ['p', 'b', 'i', 'small'])
  const [, b, i, small] = await framesOf(line)
  const [left, right] = [b?.points[0]?.[0] ?? 0, b?.points[1]?.[0] ?? 0]
  assert.ok(left > 60 && right > left + 50 && right < (i?.points[0]?.[0] ?? 0))
  assert.equal(i?.points[1]?.[0], small?.points[1]?.[0])
  assert.deepEqual(await idsOf(line, '* { margin: 0; padding: 0 }'), ['p', 'b', 'i', 'small'])
  // Where the text begins isn't known.
  assert.deepEqual(await idsOf(line, 'p { padding: 4px }'), ['p'])
  // The paddings of the part aren't, nor are those of the element in it.
  assert.deepEqual(await idsOf(line, 'b { padding: 0 4px }'), ['p', 'i', 'small'])
  assert.deepEqual(await idsOf(line, 'small { padding: 0 4px }'), ['p', 'b'])
  assert.deepEqual(await idsOf('<p>One <b>bold words that need another line of text</b></p>'), ['p'])
  // The font of other letters can have another height.
  assert.deepEqual(await idsOf('<p>One <b>مرحبا</b></p>'), ['p'])
  assert.deepEqual(await idsOf('<p class="a">One <b>Two</b></p>', '.a::before { content: "x " }'), ['p', 'b'])
  assert.deepEqual(await idsOf('<p>One <b>Two</b></p>', 'b::before { content: "x " }'), ['p'])
  // The text is drawn twice.
  assert.deepEqual(await idsOf('<p class="a">One <b>Two</b></p>', '.a::before { content: "One Two " }'), ['p'])
})

test('children next to generated content have frames if the content can be in one place only', async () => {
  const badge = '.a { position: relative } .a::before { content: "New"; position: absolute; display: block }'
  const markup = '<div class="a"><p>One</p><b>Two</b></div><p>Three</p>'
  assert.deepEqual(await idsOf(markup, badge), ['p', 'b', 'p-2'])
  const [first] = await framesOf(
    '<div class="a"><p>One</p></div>',
    '.a::before { content: "New"; display: block; height: 30px }',
  )
  assert.equal(first?.points[0]?.[1], 92)
  const twoSides =
    '.a { display: flex } .a i { display: block; width: 9px; height: 9px } .a::before, .a::after { content: "" }'
  const empty = '<div class="a"><i id="one"></i><i id="two"></i></div>'
  assert.deepEqual(await idsOf(empty, twoSides), ['#one', '#two'])
  assert.deepEqual(await idsOf(empty, `${twoSides} .a::after { display: none }`), [])
  // A rule of generated content isn't a rule of the element.
  assert.deepEqual(await idsOf('<p>One <b>Two</b></p>', 'b::after { display: block; position: absolute }'), ['p', 'b'])
})

test('frames are in pixels of the image, whose layout is finer than CSS pixels', async () => {
  const css = 'div { width: 33.4px; height: 10.3px } #b { background: red }'
  for (const size of [{ scale: 5 }, { scale: 5, height: 40 }]) {
    const [, box] = await framesOf('<div id="a"></div><div id="b"></div>', css, size)
    assert.deepEqual(
      box?.points.map((point) => point.map(Math.round)),
      [
        [0, 52],
        [167, 103],
      ],
    )
  }
})
