import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { checkCssSource, checkHtmlSource } from '../../src/imaging/html/check-markup.ts'
import { compare } from '../golden/compare.ts'
import { context, fromPng } from '../golden/render.ts'
import { cardNames, goldenOf, loadCard, renderCard, sourceOf } from './card.ts'

describe('every card of HTML and CSS still gives its golden image', { concurrency: 2 }, () => {
  for (const name of cardNames) {
    test(name, async () => {
      const [expected, actual] = await Promise.all([
        readFile(goldenOf(name)).then(fromPng),
        loadCard(name).then(renderCard),
      ])
      const problem = compare(actual, expected, { maxDelta: 40, meanDelta: 0.3 })
      assert.equal(
        problem,
        undefined,
        `${problem}. If the new image is right: node scripts/html-cards.ts --update ${name}`,
      )
    })
  }
})

test('the check of a workflow finds no mistake in the cards, with templates in place', async () => {
  assert.ok(cardNames.length >= 40)
  for (const name of cardNames) {
    const { head, markup, css } = await sourceOf(name)
    const problems = [...checkHtmlSource(markup, head.images ?? []), ...checkCssSource(css, head.images ?? [])]
    assert.deepEqual(problems, [], name)
  }
})

test('two processes draw the same bytes', async () => {
  const card = await loadCard('scripts')
  const first = await renderCard(card)
  context.processes.stop()
  // Other documents have loaded other fonts before.
  await renderCard(await loadCard('japanese'))
  await renderCard(await loadCard('emoji-text'))
  assert.ok(first.data.equals((await renderCard(card)).data))
})
