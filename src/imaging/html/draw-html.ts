/** Draws one document, in the process for HTML. */
import { crc32, deflateSync } from 'node:zlib'
import { type CssNode, parse as parseCss } from 'css-tree/dist/csstree.esm'
import { boxRulesOf } from './box-kinds.ts'
import { inspectCss } from './check-css.ts'
import { inspectHtml } from './check-html.ts'
import { defaultSheet } from './default-styles.ts'
import { elementFrames } from './element-frames.ts'
import { cutTexts } from './ellipsis.ts'
import { failureText } from './failure-text.ts'
import { fontsFor } from './html-fonts.ts'
import { imageRulesOf } from './image-display.ts'
import { changeCase } from './letter-case.ts'
import { repairLineEnds } from './line-ends.ts'
import type { HtmlJob, HtmlReply, JobImage } from './messages.ts'
import { sorted } from './problem.ts'
import { splitTexts } from './split-texts.ts'
import { preparedCss } from './style-sheet.ts'
import { attributeTexts, treeOf } from './tree.ts'
import { emptyUsage } from './usage.ts'

export async function drawHtml(job: HtmlJob): Promise<HtmlReply> {
  const wired = [...new Set(job.images.map(({ name }) => name.replace(/\/.*/, '')))]
  const { document, problems } = inspectHtml(job.html, wired)
  const css = inspectCss({ text: job.css, context: 'stylesheet' }, wired)
  const usage = { ...emptyUsage(), hasItems: /\b(flex|grid)\b/i.test(`${job.css}${job.html}`) }
  const accountFamilies = new Set(job.fonts.map(({ family }) => family.toLowerCase()))
  const sheet = css.tree && preparedCss(job.css, css.tree, accountFamilies, usage)
  const found = [
    ...sorted(problems).map((problem) => ({ param: 'html' as const, problem })),
    ...sorted([...css.problems, ...usage.problems]).map((problem) => ({ param: 'css' as const, problem })),
  ]
  if (document === undefined || css.tree === undefined || sheet === undefined || found.length > 0)
    return { problems: found }

  const images = new Map(job.images.map((image) => [image.name, image]))
  const tree = treeOf(document, { images, accountFamilies, imageRules: imageRulesOf(css.tree), usage })
  const sheetTrees = tree.sheets.map((text) => parseCss(text, { positions: true }))
  const boxRules = boxRulesOf([...sheetTrees, css.tree])
  const sheets = tree.sheets.map((text, at) => preparedCss(text, sheetTrees[at] as CssNode, accountFamilies, usage))
  if (usage.problems.length > 0)
    return { problems: usage.problems.map((problem) => ({ param: 'html' as const, problem })) }

  const generated = [...usage.texts, ...attributeTexts(document, usage.attributes)].join(' ')
  const cased = usage.changesCase ? `${generated}${generated.toUpperCase()}${generated.toLowerCase()}` : generated
  const fontsOfTexts = () =>
    fontsFor({
      text: `${tree.texts.map(({ node }) => node.text).join(' ')} ${cased}…•`,
      families: usage.families,
      language: tree.language,
      fonts: job.fonts,
    })
  const { root } = tree
  root.preset = {
    ...root.preset,
    ...(job.background !== undefined && { backgroundColor: job.background }),
    // The background of the page fills the canvas.
    ...(job.height !== undefined && { minHeight: `${job.height}px` }),
  }
  let fonts = await fontsOfTexts()
  const options = {
    css: [defaultSheet, ...sheets, sheet],
    fontFamilies: fonts.fallbacks,
    ...(tree.language !== undefined && { lang: tree.language }),
    // CSS names images by URL, which the renderer reads from files.
    images: job.images
      .filter(({ name }) => job.css.includes(`node:${name}`) || job.html.includes(`url(`))
      .map((image) => ({
        src: `node:${image.name}`,
        data: encodePng(image),
        cache: 'none' as const,
      })),
  }
  const measureIn = (size: { width: number; height?: number; devicePixelRatio?: number }, css?: string) =>
    fonts.renderer.measure(root, { ...options, css: [...options.css, ...(css === undefined ? [] : [css])], ...size })
  const measure = (css?: string) => measureIn({ width: job.width, ...sizeOf(job) }, css)
  try {
    if (usage.changesCase) {
      await changeCase(tree.texts, measure)
      fonts = await fontsOfTexts()
      options.fontFamilies = fonts.fallbacks
    }
    splitTexts(root, { ...fonts, ...usage })
    if (usage.cutsLines) await cutTexts(root, measure)
    await repairLineEnds(root, measure)
    const laid = job.height === undefined ? await measure() : undefined
    const height = job.height ?? Math.max(1, Math.round(laid?.height ?? 0))
    const size = { width: Math.round(job.width * job.scale), height: Math.round(height * job.scale) }
    if (Math.max(size.width, size.height) > job.sidePixelsMax || size.width * size.height > job.pixelsMax) return size
    // The renderer doesn't return the layout of an image, so it is measured at the same time. A layout has whole pixels of the image, not of CSS.
    const inImage = { ...size, devicePixelRatio: job.scale }
    const [data, layout] = await Promise.all([
      fonts.renderer.render(root, { ...options, ...inImage, format: 'raw' }),
      laid && job.scale === 1 ? laid : measureIn(inImage),
    ])
    if (data.length !== size.width * size.height * 4) throw new Error(`drawn with ${data.length} bytes`)
    return {
      ...size,
      data,
      missing: fonts.missing,
      frames: elementFrames(root, layout, boxRules),
    }
  } catch (error) {
    return { refused: failureText(error) }
  }
}

/** Layout as in the image. */
function sizeOf({ height }: HtmlJob): { height?: number } {
  return height === undefined ? {} : { height }
}

/** PNG files without compression, the fastest form of pixels that the renderer reads. */
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** PNG 3, 11: 8 bits per channel, RGBA, rows without filters. */
function encodePng({ width, height, data }: Pick<JobImage, 'width' | 'height' | 'data'>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = Buffer.alloc((width * 4 + 1) * height)
  for (let y = 0; y < height; y += 1) data.copy(rows, y * (width * 4 + 1) + 1, y * width * 4, (y + 1) * width * 4)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND'),
  ])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const result = Buffer.alloc(typed.length + 8)
  result.writeUInt32BE(data.length, 0)
  typed.copy(result, 4)
  result.writeUInt32BE(crc32(typed), typed.length + 4)
  return result
}
