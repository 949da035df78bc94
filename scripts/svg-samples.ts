/**
 * Usage: node scripts/svg-samples.ts --update [name]...    renders the golden images of the samples in test/svg-import
 *        node scripts/svg-samples.ts --compare <folder> [name]...    draws each next to Chromium's rendering of the SVG
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { launchChromium } from '../test/browser/harness/chromium.ts'
import { drawInChromium } from '../test/html/in-chromium.ts'
import { goldenOf, importSample, renderImported, sampleNames, textOfSample } from '../test/svg-import/render.ts'

const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean' }, compare: { type: 'string' } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : sampleNames

if (values.update) {
  for (const name of names) {
    await writeFile(goldenOf(name), await renderImported(importSample(name)))
    process.stdout.write(`test/svg-import/samples/${name}.png\n`)
  }
}
if (values.compare !== undefined) {
  await mkdir(values.compare, { recursive: true })
  const browser = await launchChromium()
  for (const name of names) {
    const ours = await readFile(goldenOf(name))
    const { width = 0, height = 0 } = await sharp(ours).metadata()
    const html = textOfSample(name).replace(/<\?xml[^>]*\?>/, '')
    const theirs = await drawInChromium(browser, { html, css: 'svg { display: block }', width, height, images: [] })
    await sharp({ create: { width: width * 2 + 10, height, channels: 3, background: '#888' } })
      .composite([
        { input: ours, left: 0, top: 0 },
        { input: theirs, left: width + 10, top: 0 },
      ])
      .png()
      .toFile(join(values.compare, `${name}.png`))
  }
  await browser.close()
}
