/**
 * Usage: node scripts/html-cards.ts --update [name]...    renders the golden images of the cards in test/html/cards
 *        node scripts/html-cards.ts --compare <folder> [name]...    draws each card next to Chromium's rendering
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { launchChromium } from '../test/browser/harness/chromium.ts'
import { toPng } from '../test/golden/render.ts'
import { cardNames, goldenOf, loadCard, renderCard } from '../test/html/card.ts'
import { drawInChromium } from '../test/html/in-chromium.ts'

const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean' }, compare: { type: 'string' } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : cardNames

if (values.update) {
  for (const name of names) {
    await writeFile(goldenOf(name), await toPng(await renderCard(await loadCard(name))))
    process.stdout.write(`test/html/cards/${name}.png\n`)
  }
}
if (values.compare !== undefined) {
  await mkdir(values.compare, { recursive: true })
  const browser = await launchChromium()
  for (const name of names) {
    const theirs = await drawInChromium(browser, await loadCard(name))
    const ours = await readFile(goldenOf(name))
    const { width = 0, height = 0 } = await sharp(ours).metadata()
    const their = await sharp(theirs).metadata()
    await sharp({
      create: { width: width * 2 + 10, height: Math.max(height, their.height), channels: 3, background: '#888' },
    })
      .composite([
        { input: ours, left: 0, top: 0 },
        { input: theirs, left: width + 10, top: 0 },
      ])
      .png()
      .toFile(join(values.compare, `${name}.png`))
    process.stdout.write(`${name}: ${width} x ${height}, Chromium ${their.width} x ${their.height}\n`)
  }
  await browser.close()
}
