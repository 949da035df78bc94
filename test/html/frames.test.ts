/** The frames of the elements of all cards agree with pixels. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pMap from 'p-map'
import { imageFromBytes } from '../../src/imaging/raster/image.ts'
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
