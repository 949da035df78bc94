/** Compares cards and imported SVGs with Chromium's rendering of the same document, in the full run. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { chromiumPath, launchChromium, skipReason } from '../browser/harness/chromium.ts'
import { toPng } from '../golden/render.ts'
import { importSample, renderImported, sampleNames, textOfSample } from '../svg-import/render.ts'
import { cardNames, loadCard, renderCard } from './card.ts'
import { drawInChromium } from './in-chromium.ts'

/** Differences that the guide lists, or characters that Chromium draws with fonts of the machine. */
const different = new Set(['emoji-grid', 'emoji-text', 'scripts', 'figma-scripts'])

/** The largest mean difference of a channel, after both are reduced: text may be a pixel lower. */
const meanMax = 3.5

describe('documents look as in Chromium', { skip: chromiumPath === undefined && skipReason }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
  })

  for (const name of cardNames.filter((each) => !different.has(each)))
    test(name, async () => {
      const card = await loadCard(name)
      await assertAlike(await toPng(await renderCard(card)), await drawInChromium(browser, card))
    })

  for (const name of sampleNames.filter((each) => !different.has(each)))
    test(`imported ${name}`, async () => {
      const ours = await renderImported(importSample(name))
      const { width = 1, height = 1 } = await sharp(ours).metadata()
      const html = textOfSample(name).replace(/<\?xml[^>]*\?>/, '')
      const card = { html, css: 'svg { display: block }', width, height, images: [] }
      await assertAlike(ours, await drawInChromium(browser, card))
    })
})

async function assertAlike(ours: Buffer, theirs: Buffer): Promise<void> {
  const [mine, other] = await Promise.all([sharp(ours).metadata(), sharp(theirs).metadata()])
  assert.ok(
    Math.abs(mine.height - other.height) <= 1 && mine.width === other.width,
    `${mine.height} and ${other.height}`,
  )
  const size = { width: Math.ceil(mine.width / 4), height: Math.ceil(mine.height / 4) }
  const [a, b] = await Promise.all(
    [ours, theirs].map((png) =>
      sharp(png)
        .flatten({ background: 'white' })
        .resize({ ...size, fit: 'fill' })
        .raw()
        .toBuffer(),
    ),
  )
  let sum = 0
  for (const [at, value] of (a ?? Buffer.alloc(0)).entries()) sum += Math.abs(value - (b?.[at] ?? 0))
  const mean = sum / (a?.length ?? 1)
  assert.ok(mean <= meanMax, `the mean difference is ${mean.toFixed(2)}, more than ${meanMax}`)
}
