import Type from 'typebox'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { color, pixels } from '../params.ts'
import { filled } from '../raster/fill.ts'
import { overlayOn } from '../raster/overlay.ts'
import { pictureFrom, pixelsOf } from '../raster/picture.ts'
import { checkSize } from '../raster/size.ts'
import { cssColor } from '../vector/css-color.ts'
import { families } from '../vector/families.ts'

const position = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, default: 0, 'x-unit': 'px' }

export const text = defineOperation({
  id: 'text',
  version: 1,
  title: 'Text',
  summary: 'Writes text on an image, or on a transparent picture of its own.',
  group: 'text',
  inputs: { image: socket.optional('The image to write on. Without one, the text is a transparent picture.') },
  params: Type.Object(
    {
      text: Type.String({
        maxLength: limits.textCharsMax,
        title: 'Text',
        description: 'What is written. Line ends are kept; lines that are too long are wrapped.',
        'x-widget': 'textarea',
      }),
      box: Type.Optional(
        Type.Object(
          {
            x: Type.Integer({ ...position, title: 'Left', description: 'Left edge of the box, in the image.' }),
            y: Type.Integer({ ...position, title: 'Top', description: 'Upper edge of the box, in the image.' }),
            width: pixels({ minimum: 1, title: 'Width', description: 'Width of the box; lines are wrapped at it.' }),
            height: pixels({ minimum: 1, title: 'Height', description: 'Height of the box.' }),
          },
          {
            additionalProperties: false,
            title: 'Box',
            description:
              'Where the text goes. Default: the whole image; without an image, as large as the text. Without an image the box is the picture, and x and y say nothing.',
          },
        ),
      ),
      font: Type.Enum([...families], {
        default: 'Inter',
        title: 'Font',
        description:
          'Family of the characters. Arabic, Hebrew, Japanese and emoji come from fonts of their own, other scripts from the fonts of the machine.',
      }),
      size: Type.Number({
        minimum: 1,
        maximum: 2_000,
        default: 48,
        title: 'Size',
        description: 'Size of the characters.',
        'x-unit': 'px',
      }),
      fit: Type.Enum(['shrink', 'ellipsis'], {
        default: 'shrink',
        title: 'Fit',
        description:
          'When the text does not fit its box. shrink: smaller characters; ellipsis: the size stays, the text is cut.',
      }),
      weight: Type.Integer({
        minimum: 100,
        maximum: 900,
        multipleOf: 100,
        default: 400,
        title: 'Weight',
        description: '100 thin, 400 regular, 700 bold, 900 black; the nearest that the font has.',
      }),
      italic: Type.Boolean({
        default: false,
        title: 'Italic',
        description: 'Slanted characters, where the font has them.',
      }),
      color: color({ default: 'black', title: 'Colour', description: 'Colour of the characters.' }),
      align: Type.Enum(['left', 'center', 'right'], {
        default: 'left',
        title: 'Align',
        description: 'Where the lines stand in the box.',
      }),
      verticalAlign: Type.Enum(['top', 'middle', 'bottom'], {
        default: 'top',
        title: 'Vertical align',
        description: 'Where the text as a whole stands in the box.',
      }),
      lineHeight: Type.Number({
        minimum: 0.5,
        maximum: 4,
        default: 1.2,
        title: 'Line height',
        description: 'From line to line, as a multiple of the size.',
      }),
      letterSpacing: Type.Number({
        minimum: -0.5,
        maximum: 4,
        default: 0,
        title: 'Letter spacing',
        description: 'Added between characters, as a multiple of the size.',
        'x-advanced': true,
      }),
      outlineWidth: Type.Number({
        minimum: 0,
        maximum: 100,
        default: 0,
        title: 'Outline width',
        description: 'Width of a line around each character; 0 for none.',
        'x-unit': 'px',
        'x-advanced': true,
      }),
      outlineColor: color({
        default: 'black',
        title: 'Outline colour',
        description: 'Colour of the line around each character.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with the text, or the text alone.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'a headline on a photograph',
      inputs: { image: 'cat.jpg' },
      params: {
        text: 'Green eyes, long whiskers',
        box: { x: 12, y: 12, width: 130, height: 120 },
        size: 40,
        weight: 700,
        color: 'white',
      },
    },
    { name: 'alone', params: { text: 'Tintype', weight: 800, color: '#7048e8' } },
    {
      name: 'shrunk to its box',
      params: {
        text: 'The quick brown fox jumps over the lazy dog, and then over the fence',
        box: { width: 200, height: 80 },
        size: 60,
        align: 'center',
        verticalAlign: 'middle',
        font: 'Playfair Display',
        weight: 700,
        italic: true,
      },
    },
    {
      name: 'cut with an ellipsis',
      params: {
        text: 'The size stays as it is, and what does not fit is left out',
        box: { width: 220, height: 60 },
        size: 22,
        fit: 'ellipsis',
        font: 'Lora',
      },
    },
    {
      name: 'outlined in capitals',
      inputs: { image: 'coffee.jpg' },
      params: {
        text: 'GOOD MORNING',
        font: 'Anton',
        size: 60,
        align: 'center',
        verticalAlign: 'bottom',
        color: 'white',
        outlineWidth: 3,
        outlineColor: '#000c',
      },
    },
    {
      name: 'many scripts',
      params: {
        text: 'Žluťoučký kůň · Ελληνικά\nПривет, мир → ★ ✓ 日\nمرحبا بالعالم 123\nשלום עולם\n日本語のテキスト ☕😀👍🏽🇯🇵',
        size: 24,
        weight: 600,
      },
    },
    {
      name: 'monospaced and spaced',
      params: { text: 'if (a !== b) return', font: 'JetBrains Mono', size: 20, letterSpacing: 0.1, color: '#2b8a3e' },
    },
    {
      name: 'right and in the middle',
      params: {
        text: 'Narrow letters\nin three lines\non the right',
        box: { width: 200, height: 130 },
        font: 'Oswald',
        size: 30,
        align: 'right',
        verticalAlign: 'middle',
        lineHeight: 1.4,
      },
    },
    {
      name: 'long word broken',
      params: {
        text: 'Donaudampfschifffahrtsgesellschaft',
        box: { width: 150, height: 90 },
        size: 28,
        fit: 'ellipsis',
      },
    },
    {
      name: 'japanese wrapped',
      params: {
        text: '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。',
        box: { width: 200, height: 120 },
        size: 24,
      },
    },
  ],

  async run({ image }, { box, ...style }, context) {
    // Loaded with the first text: the start of the service should not wait for it.
    const { layText } = await import('../vector/draw-text.ts')
    const colored = { ...style, color: cssColor(style.color), outlineColor: cssColor(style.outlineColor) }
    if (image) {
      const whole = { x: 0, y: 0, width: image.width, height: image.height }
      const drawn = (await layText(colored, box ?? whole)).draw(whole)
      if (drawn === undefined) return { image }
      return { image: pictureFrom(await overlayOn(await pixelsOf(image, context), drawn.layer, drawn, context)) }
    }
    const laid = await layText(colored, box && { ...box, x: 0, y: 0 })
    const { width, height } = laid.box
    if (width === 0 || height === 0)
      throw failure('input_invalid', 'There is no text, no box and no image to write on.')
    checkSize(width, height, context.pixelsMax)
    const empty = filled(width, height, { r: 0, g: 0, b: 0, alpha: 0 })
    const drawn = laid.draw(laid.box)
    return { image: pictureFrom(drawn ? await overlayOn(empty, drawn.layer, drawn, context) : empty) }
  },
})
