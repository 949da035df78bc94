import Type from 'typebox'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { renderSvg } from '../../imaging/raster/read/svg.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { limits } from '../../limits.ts'
import { defineOperation } from '../define.ts'
import { pixels } from '../shared/params.ts'

export const svg = defineOperation({
  id: 'svg',
  version: 2,
  title: 'SVG',
  summary: 'Renders an SVG from the workflow, with values from templates.',
  keywords: ['vector', 'icon', 'illustration', 'template', 'path', 'drawing'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      svg: Type.String({
        minLength: 1,
        maxLength: limits.svgBytesMax,
        title: 'SVG',
        description:
          'The SVG document, starting with <svg xmlns="http://www.w3.org/2000/svg" ...>. It can contain templates; escape text with `| escape`, as in <text>{{ title | escape }}</text>. Scripts, event handlers and external references are rejected. An inch has 96 pixels. A warning names CSS that is not drawn as in browsers, such as `clip-path: circle()`. Text is drawn in the fonts of the machine; use the operation `text` for the fonts of Tintype.',
        'x-widget': 'textarea',
      }),
      width: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Width',
          description: 'Width of the image. If a height is also set, the drawing is as large as fits into both.',
        }),
      ),
      height: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Height',
          description: 'Height of the image. Default: proportional to the width.',
        }),
      ),
      scale: Type.Optional(
        Type.Number({
          minimum: 0.05,
          maximum: 100,
          title: 'Scale',
          description: 'Factor of the natural size, instead of width and height. Default: 1.',
        }),
      ),
    },
    {
      additionalProperties: false,
      allOf: [{ not: { required: ['width', 'scale'] } }, { not: { required: ['height', 'scale'] } }],
    },
  ),
  outputs: { image: 'The drawing, with a transparent background.' },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    {
      name: 'a badge',
      params: {
        width: 160,
        svg: [
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">',
          '<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#845ef7"/><stop offset="1" stop-color="#22b8cf"/></linearGradient></defs>',
          '<rect x="4" y="4" width="72" height="72" rx="18" fill="url(#g)"/>',
          '<path d="M24 42l11 11 22-25" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>',
          '</svg>',
        ].join('\n'),
      },
    },
    {
      name: 'waves to fit',
      params: {
        width: 300,
        height: 80,
        svg: [
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120">',
          '<path d="M0 70q50-50 100 0t100 0 100 0 100 0v50H0z" fill="#d0ebff"/>',
          '<path d="M0 85q50-30 100 0t100 0 100 0 100 0v35H0z" fill="#4dabf7" fill-opacity=".7"/>',
          '</svg>',
        ].join('\n'),
      },
    },
    {
      name: 'twice its size',
      params: {
        scale: 2,
        svg: '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><circle cx="24" cy="24" r="17" fill="none" stroke="#e9ecef" stroke-width="8"/><path d="M24 7a17 17 0 0 1 0 34" fill="none" stroke="#f76707" stroke-width="8" stroke-linecap="round"/></svg>',
      },
    },
  ],

  async run(_, { svg, width, height, scale }, context) {
    if (width !== undefined || height !== undefined) checkSize(width ?? 1, height ?? 1, context.pixelsMax)
    const box = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
    const how = width === undefined && height === undefined ? (scale ?? 1) : box
    return { image: imageFromPixels(await renderSvg(Buffer.from(svg), how, context)) }
  },
})
