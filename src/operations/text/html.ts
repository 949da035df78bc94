import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { loadChecks } from '../../imaging/html/load-checks.ts'
import { htmlPackages } from '../../imaging/html/packages.ts'
import { type Problem, sentence } from '../../imaging/html/problem.ts'
import { renderHtml } from '../../imaging/html/render-html.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { missingGlyphsPolicies } from '../../imaging/vector/missing-glyphs.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { sizeFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

export const html = defineOperation({
  id: 'html',
  version: 1,
  title: 'HTML',
  summary: 'Lays out HTML and CSS, with flexbox, grid, tables, and images of other nodes.',
  keywords: [
    'css',
    'web',
    'page',
    'layout',
    'flexbox',
    'template',
    'card',
    'invoice',
    'table',
    'calendar',
    'list',
    'markup',
    'og',
    'screenshot',
  ],
  group: 'text',
  inputs: {
    images: socket.named(
      'Images for `<img src="node:ID">` and `url(node:ID)`, in which ID is the id of the connected node.',
    ),
  },
  params: Type.Object(
    {
      html: Type.String({
        minLength: 1,
        maxLength: limits.htmlCharsMax,
        title: 'HTML',
        description:
          'The content, as HTML. Values of templates are escaped; add `| raw` for a value that is HTML. Show an image with `<img src="node:ID">`, and the image with index 2 of a list with `node:ID/2`.',
        'x-widget': 'textarea',
        'x-template': 'html',
      }),
      css: Type.String({
        maxLength: limits.cssCharsMax,
        default: '',
        title: 'CSS',
        description:
          'The style sheet. Families of included and uploaded fonts can be used by name. Nothing is loaded: `url()` names connected nodes only.',
        'x-widget': 'textarea',
        'x-template': 'css',
      }),
      width: pixels({ minimum: 1, default: 1200, title: 'Width', description: 'Width of the page, in CSS pixels.' }),
      height: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Height',
          description: 'Height of the page, in CSS pixels. Default: the height of the content.',
        }),
      ),
      scale: Type.Number({
        minimum: 0.1,
        maximum: 8,
        default: 1,
        title: 'Scale',
        description: 'Pixels of the image for each CSS pixel, such as 2 for a sharp image on a phone.',
      }),
      background: Type.Optional(
        color({ title: 'Background', description: 'Colour behind the page. Default: transparent.' }),
      ),
      missingGlyphs: Type.Enum([...missingGlyphsPolicies], {
        default: 'warn',
        title: 'Missing glyphs',
        description:
          'How to handle characters that no font has. warn: draw a box, and add a warning to the step and the execution; error: fail the execution.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The page, transparent unless it has a background.',
    drawn: {
      size: 'The page.',
      '#id': 'An element with an id.',
      'tag-N':
        'Another element with text, or an image: the tag, and from the second one its number, such as `h1` and `p-2`. A part of a line has a frame if its box is certain.',
    },
  },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  reads: { fonts: true, packages: htmlPackages },
  examples: [
    {
      name: 'a card with a photo',
      inputs: { images: ['coffee.jpg'] },
      params: {
        width: 320,
        html: [
          '<div class="card">',
          '  <img src="node:coffee" alt="">',
          '  <div><h1>Fresh coffee</h1><p>Roasted on Monday, brewed today.</p></div>',
          '</div>',
        ].join('\n'),
        css: [
          '.card { display: flex; gap: 16px; padding: 16px; background: linear-gradient(120deg, #fff7ed, #fed7aa) }',
          'img { width: 96px; height: 96px; border-radius: 16px; object-fit: cover }',
          'h1 { margin: 8px 0; font-size: 24px }',
          'p { margin: 0; color: #9a3412; line-height: 1.4 }',
        ].join('\n'),
      },
    },
    {
      name: 'a table of values',
      params: {
        width: 300,
        background: 'white',
        html: [
          '<table>',
          '  <tr><th>City</th><th>People</th></tr>',
          '  <tr><td>Vienna</td><td>1,982,097</td></tr>',
          '  <tr><td>Graz</td><td>302,660</td></tr>',
          '</table>',
        ].join('\n'),
        css: [
          'table { width: 100%; border-collapse: collapse; font-size: 15px }',
          'th, td { padding: 8px 12px; text-align: left; border-bottom: 1px solid #cbd5e1 }',
          'td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums }',
        ].join('\n'),
      },
    },
    {
      name: 'right to left in a grid',
      params: {
        width: 300,
        height: 90,
        html: '<div dir="rtl" lang="ar" class="row"><b>مرحبا</b><span>بالعالم 🌍</span><i>123</i></div>',
        css: [
          'body { background: #0f766e; color: white }',
          '.row { display: grid; grid-template-columns: 2fr 2fr 1fr; gap: 8px; height: 90px; padding: 0 16px; align-items: center; font-size: 22px }',
        ].join('\n'),
      },
    },
    {
      name: 'as high as its text at twice the size',
      params: {
        width: 120,
        scale: 2,
        background: '#eef2ff',
        html: '<p>The page is as high as its text.</p>',
        css: 'p { margin: 12px; font-family: Lora, serif; font-size: 18px; text-wrap: balance }',
      },
    },
  ],

  check({ html, css }, wires) {
    const { checkCssSource, checkHtmlSource } = loadChecks()
    const { images = [] } = wires
    return [
      ...issuesOf('html', typeof html === 'string' ? checkHtmlSource(html, images) : []),
      ...issuesOf('css', typeof css === 'string' ? checkCssSource(css, images) : []),
    ]
  },

  async run({ images }, { html, css, width, height, scale, background, missingGlyphs }, context) {
    const byNode = new Map<string, ImageValue[]>()
    for (const [index, image] of (images ?? []).entries()) {
      const node = context.wires?.images?.[index] ?? ''
      byNode.set(node, [...(byNode.get(node) ?? []), image])
    }
    const document = { html, css, width, height, scale, background, missingGlyphs, images: byNode }
    const { pixels: image, frames } = await renderHtml(document, context)
    const binds: Frame['binds'] = {
      width: { param: 'width', scale },
      ...(height !== undefined && { height: { param: 'height', scale } }),
    }
    return { image: imageFromPixels(image), drawn: [sizeFrame(image, binds), ...frames] }
  },
})

function issuesOf(param: string, problems: Problem[]) {
  return problems.map((problem) => ({
    param,
    message: `has a mistake in ${sentence(problem)}`,
    line: problem.line,
    column: problem.column,
  }))
}
