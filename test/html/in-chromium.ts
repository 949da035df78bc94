/** Draws the same documents with Chromium and the same fonts, for comparison. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { packages } from '../../src/imaging/vector/families.ts'
import { packagedParts } from '../../src/imaging/vector/packaged-fonts.ts'
import { type Card, sampleOf } from './card.ts'

const require = createRequire(import.meta.url)

/** A PNG of the page, as high as its content if the card has no height. */
export async function drawInChromium(browser: Browser, card: Card): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-html-'))
  const page = await browser.newPage({ viewport: { width: card.width, height: card.height ?? 10 } })
  try {
    const file = join(folder, 'card.html')
    await writeFile(file, await documentOf(card))
    await page.goto(`file://${file}`)
    await page.evaluate('document.fonts.ready')
    return await screenshot(page, card.height === undefined)
  } finally {
    await page.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Takes a screenshot; on a busy machine, Chromium sometimes has no frame to capture. */
async function screenshot(page: Page, fullPage: boolean, attempts = 3): Promise<Buffer> {
  try {
    return await page.screenshot({ omitBackground: true, fullPage })
  } catch (error) {
    if (attempts === 1 || !/Unable to capture screenshot/.test(String(error))) throw error
    return screenshot(page, fullPage, attempts - 1)
  }
}

async function documentOf({ html, css, images }: Card): Promise<string> {
  let body = html
  let sheet = css
  for (const name of images) {
    const url = `data:image/jpeg;base64,${(await readFile(sampleOf(name))).toString('base64')}`
    body = body.replaceAll(`node:${name}`, url)
    sheet = sheet.replaceAll(`node:${name}`, url)
  }
  const { faces, families } = await fontFaces(html)
  const base = `html { font-family: ${families}; text-rendering: geometricPrecision } body { margin: 0 }
    code, kbd, samp, pre { font-family: "JetBrains Mono" }`
  const named = sheet
    .replaceAll(/font-family: serif/g, 'font-family: Lora')
    .replaceAll(/font-family:([^;}]*)/g, (_, value: string) => `font-family:${value}, ${families}`)
  return `<!doctype html><meta charset="utf-8"><style>${faces}${base}</style><style>${named}</style>${body}`
}

async function fontFaces(text: string): Promise<{ faces: string; families: string }> {
  const language = /lang="ja"/.test(text) ? 'ja' : /lang="ko"/.test(text) ? 'ko' : 'zh-Hans'
  const lists = await Promise.all(
    Object.values(packages).map((first) => packagedParts(`${text}…•`, { first, language })),
  )
  const parts = lists.flat()
  const faces = parts.flatMap(({ font, files, ranges }) =>
    files.map((file) => {
      const [, weight = '100 900'] = /-(\d+)-(?:normal|italic)\.woff2$/.exec(file) ?? []
      const range = ranges?.map(([from, to]) => `U+${from.toString(16)}-${to.toString(16)}`).join(',')
      return `@font-face { font-family: "${familyOf(font)}"; src: url("file://${require.resolve(file)}"); font-weight: ${weight};
        font-style: ${/italic\.woff2$/.test(file) ? 'italic' : 'normal'}; ${range ? `unicode-range: ${range}` : ''} }`
    }),
  )
  const families = [...new Set((lists[0] ?? []).map(({ font }) => `"${familyOf(font)}"`))].join(', ')
  return { faces: [...new Set(faces)].join('\n'), families }
}

function familyOf(font: string): string {
  return Object.entries(packages).find(([, fontOfPackage]) => fontOfPackage === font)?.[0] ?? font
}
