/** Draws one document, in the process for HTML. */
import { parse as parseCss } from 'css-tree/dist/csstree.esm'
import { inspectCss } from './check-css.ts'
import { inspectHtml } from './check-html.ts'
import { defaultSheet } from './default-styles.ts'
import { failureText } from './failure-text.ts'
import { fontsFor } from './html-fonts.ts'
import { imageRulesOf } from './image-display.ts'
import type { HtmlJob, HtmlReply } from './messages.ts'
import { encodePng } from './png.ts'
import { sorted } from './problem.ts'
import { preparedCss } from './style-sheet.ts'
import { attributeTexts, treeOf } from './tree.ts'
import { emptyUsage } from './usage.ts'

export async function drawHtml(job: HtmlJob): Promise<HtmlReply> {
  const wired = [...new Set(job.images.map(({ name }) => name.replace(/\/.*/, '')))]
  const { document, problems } = inspectHtml(job.html, wired)
  const css = inspectCss({ text: job.css, context: 'stylesheet' }, wired)
  const usage = emptyUsage()
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
  const sheets = tree.sheets.map((text) =>
    preparedCss(text, parseCss(text, { positions: true }), accountFamilies, usage),
  )
  if (usage.problems.length > 0)
    return { problems: usage.problems.map((problem) => ({ param: 'html' as const, problem })) }

  const drawn = [...tree.texts, ...usage.texts, ...attributeTexts(document, usage.attributes)].join(' ')
  const text = usage.changesCase ? `${drawn}${drawn.toUpperCase()}${drawn.toLowerCase()}` : drawn
  const { renderer, fallbacks, missing } = await fontsFor({
    text: `${text}…•`,
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
  const options = {
    css: [defaultSheet, ...sheets, sheet],
    fontFamilies: fallbacks,
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
  try {
    const height =
      job.height ?? Math.max(1, Math.round((await renderer.measure(root, { ...options, width: job.width })).height))
    const size = { width: Math.round(job.width * job.scale), height: Math.round(height * job.scale) }
    if (Math.max(size.width, size.height) > job.sidePixelsMax || size.width * size.height > job.pixelsMax) return size
    const data = await renderer.render(root, {
      ...options,
      ...size,
      devicePixelRatio: job.scale,
      format: 'raw',
    })
    if (data.length !== size.width * size.height * 4) throw new Error(`drawn with ${data.length} bytes`)
    return { ...size, data, missing }
  } catch (error) {
    return { refused: failureText(error) }
  }
}
