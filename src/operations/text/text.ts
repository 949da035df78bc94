import Type from 'typebox'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { color, pixels } from '../params.ts'
import { filled } from '../raster/fill.ts'
import { overlayOn } from '../raster/overlay.ts'
import { pictureFrom, pixelsOf } from '../raster/picture.ts'
import { checkSize } from '../raster/size.ts'
import type { LaidText } from '../vector/draw-text.ts'
import { families } from '../vector/families.ts'
import { languages } from '../vector/han.ts'
import { transforms } from '../vector/runs.ts'
import { backgroundShapes } from '../vector/text-style.ts'

const position = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, default: 0, 'x-unit': 'px' }

/** Of a shadow. */
const offset = { minimum: -1_000, maximum: 1_000, default: 0, 'x-unit': 'px' }

export const text = defineOperation({
  id: 'text',
  version: 2,
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
      markup: Type.Boolean({
        default: false,
        title: 'Markup',
        description:
          'Whether the text is markup, a strict subset of that of Pango: <b>, <i>, <u>, <s>, and <span> with color, background, weight, size (as "120%") and font. < and & are written &lt; and &amp;; for what comes from outside, Liquid has the filter `escape`.',
      }),
      font: Type.String({
        minLength: 1,
        maxLength: limits.fontFamilyCharsMax,
        default: 'Inter',
        examples: [...families],
        title: 'Font',
        description: `Family of the characters: ${families.join(', ')}, or the family or id of an uploaded font. Scripts that it lacks come from other fonts: Arabic, Hebrew, Thai, Devanagari, Chinese, Japanese, Korean and emoji are always there.`,
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
      underline: Type.Boolean({
        default: false,
        title: 'Underline',
        description: 'A line below, with gaps where characters reach through it.',
        'x-advanced': true,
      }),
      strike: Type.Boolean({
        default: false,
        title: 'Strike',
        description: 'A line through the characters.',
        'x-advanced': true,
      }),
      transform: Type.Enum([...transforms], {
        default: 'none',
        title: 'Transform',
        description: 'Other letters for the same text; capitalize: the first of each word.',
        'x-advanced': true,
      }),
      color: color({ default: 'black', title: 'Colour', description: 'Colour of the characters.' }),
      gradient: Type.Optional(
        Type.Object(
          {
            from: color({ title: 'From', description: 'Colour at the start.' }),
            to: color({ title: 'To', description: 'Colour at the end.' }),
            angle: Type.Number({
              minimum: -360,
              maximum: 360,
              default: 90,
              title: 'Angle',
              description: 'Direction, as in CSS: 0 upwards, 90 to the right, 180 downwards.',
              'x-unit': 'deg',
            }),
          },
          {
            additionalProperties: false,
            title: 'Gradient',
            description: 'Two colours in place of the one, over the text as a whole.',
          },
        ),
      ),
      align: Type.Enum(['left', 'center', 'right', 'justify'], {
        default: 'left',
        title: 'Align',
        description:
          'Where the lines stand in the box. justify: as wide as the box, but for the last line of a paragraph.',
      }),
      verticalAlign: Type.Enum(['top', 'middle', 'bottom'], {
        default: 'top',
        title: 'Vertical align',
        description: 'Where the text as a whole stands in the box.',
      }),
      direction: Type.Enum(['auto', 'ltr', 'rtl'], {
        default: 'auto',
        title: 'Direction',
        description:
          'In which a paragraph is read. auto: by its first letter that has a direction. It does not move lines: see `align`.',
        'x-advanced': true,
      }),
      language: Type.Enum([...languages], {
        default: 'auto',
        title: 'Language',
        description:
          'Whose forms the characters have that Chinese, Japanese and Korean share. auto: by what else is written.',
        'x-advanced': true,
      }),
      linesMax: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000,
          title: 'Most lines',
          description: 'What is more is cut with an ellipsis, or, in a box that shrinks its text, made smaller.',
          'x-advanced': true,
        }),
      ),
      balance: Type.Boolean({
        default: false,
        title: 'Balance',
        description: 'Lines of about one width, as many as there would be anyway: for headlines.',
        'x-advanced': true,
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
      shadow: Type.Optional(
        Type.Object(
          {
            x: Type.Number({ ...offset, title: 'To the right', description: 'How far to the right; left below 0.' }),
            y: Type.Number({ ...offset, title: 'Down', description: 'How far down; up below 0.' }),
            blur: Type.Number({
              minimum: 0,
              maximum: 500,
              default: 0,
              title: 'Blur',
              description: 'How soft it is; 0 for a sharp one. As in CSS: twice the standard deviation.',
              'x-unit': 'px',
            }),
            color: color({ default: '#0008', title: 'Colour', description: 'Colour of the shadow.' }),
          },
          {
            additionalProperties: false,
            title: 'Shadow',
            description: 'What characters and outline throw behind them.',
          },
        ),
      ),
      background: Type.Optional(
        Type.Object(
          {
            color: color({ default: 'white', title: 'Colour', description: 'Colour of the background.' }),
            padding: pixels({
              maximum: 1_000,
              default: 0,
              title: 'Padding',
              description: 'Between the characters and the edge, inside the box of the text.',
            }),
            radius: pixels({ default: 0, title: 'Radius', description: 'Of its corners.' }),
            per: Type.Enum([...backgroundShapes], {
              default: 'text',
              title: 'Per',
              description:
                'text: one shape around all lines; line: each line has its own, as wide as it is; box: the whole box.',
            }),
          },
          { additionalProperties: false, title: 'Background', description: 'A shape behind the text.' },
        ),
      ),
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
    {
      name: 'a gradient',
      params: {
        text: 'Sunset\nBoulevard',
        size: 56,
        weight: 900,
        lineHeight: 1.05,
        letterSpacing: -0.02,
        gradient: { from: '#ff922b', to: '#ae3ec9', angle: 100 },
      },
    },
    {
      name: 'a soft shadow',
      inputs: { image: 'coffee.jpg' },
      params: {
        text: 'Slow mornings',
        box: { x: 16, y: 16, width: 208, height: 128 },
        font: 'Playfair Display',
        size: 44,
        weight: 700,
        italic: true,
        lineHeight: 1.05,
        color: '#fff8e7',
        align: 'center',
        verticalAlign: 'middle',
        shadow: { y: 2, blur: 10, color: '#000c' },
      },
    },
    {
      name: 'a background for each line',
      inputs: { image: 'cat.jpg' },
      params: {
        text: 'Curious by nature, asleep by noon',
        box: { x: 8, y: 8, width: 190, height: 144 },
        size: 20,
        weight: 700,
        lineHeight: 1.55,
        color: '#1a1a1a',
        verticalAlign: 'bottom',
        background: { color: '#ffd43b', padding: 4, radius: 4, per: 'line' },
      },
    },
    {
      name: 'a label',
      params: {
        text: 'New in store',
        size: 18,
        weight: 700,
        transform: 'uppercase',
        letterSpacing: 0.08,
        color: 'white',
        background: { color: '#e03131', padding: 12, radius: 100 },
      },
    },
    {
      name: 'a caption over a bar',
      inputs: { image: 'cat.jpg' },
      params: {
        text: 'Photograph of the month',
        box: { x: 0, y: 122, width: 240, height: 38 },
        size: 16,
        weight: 500,
        color: 'white',
        align: 'center',
        verticalAlign: 'middle',
        background: { color: '#000a', padding: 8, per: 'box' },
      },
    },
    {
      name: 'markup',
      params: {
        text: 'Only <b>3 days</b> left:\n<s>€49</s> <span color="#e03131" weight="800" size="180%">€29</span>\n<i>Free</i> shipping &amp; <u>easy returns</u>\n<span font="Lora">Serifs</span> and <span background="#ffec99">highlights</span>',
        markup: true,
        size: 26,
        font: 'Inter',
      },
    },
    {
      name: 'justified',
      params: {
        text: 'Good typography is invisible: it lets a reader go on without a thought for letters, lines and spaces, and leaves them with what was said.',
        box: { width: 260, height: 130 },
        font: 'Lora',
        size: 17,
        lineHeight: 1.4,
        align: 'justify',
      },
    },
    {
      name: 'balanced lines',
      params: {
        text: 'A headline without an orphan at its end',
        box: { width: 300, height: 80 },
        size: 28,
        weight: 700,
        align: 'center',
        balance: true,
      },
    },
    {
      name: 'scripts of Asia in bold',
      params: {
        text: '你好，世界！繁體與简体\n안녕하세요 세계\n東京タワーへようこそ\nสวัสดีชาวโลก ยินดีต้อนรับ\nनमस्ते दुनिया',
        size: 26,
        weight: 700,
        lineHeight: 1.4,
      },
    },
    {
      name: 'right to left with markup',
      params: {
        text: 'مرحبًا <span color="#e8590c">بالعالم</span> من <b>Tintype</b> 2.0\nשלום <b>עולם</b> (טוב)!',
        markup: true,
        direction: 'rtl',
        align: 'right',
        size: 26,
        box: { width: 320, height: 90 },
      },
    },
  ],

  async run({ image }, { box, ...style }, context) {
    // Loaded with the first text: the start of the service should not wait for it.
    const { layText } = await import('../vector/draw-text.ts')
    if (image) {
      const whole = { x: 0, y: 0, width: image.width, height: image.height }
      const laid = await layText(style, context, box ?? whole)
      const drawn = drawnBy(laid, whole)
      if (drawn === undefined) return { image }
      return { image: pictureFrom(await overlayOn(await pixelsOf(image, context), drawn.layer, drawn, context)) }
    }
    const laid = await layText(style, context, box && { ...box, x: 0, y: 0 })
    const { width, height } = laid.box
    const drawn = drawnBy(laid, laid.box, () => {
      if (width === 0 || height === 0)
        throw failure('input_invalid', 'There is no text, no box and no image to write on.')
      checkSize(width, height, context.pixelsMax)
    })
    const empty = filled(width, height, { r: 0, g: 0, b: 0, alpha: 0 })
    return { image: pictureFrom(drawn ? await overlayOn(empty, drawn.layer, drawn, context) : empty) }
  },
})

/** Draws what is laid, if it may be drawn, and lets go of its fonts. */
function drawnBy(laid: LaidText, region: LaidText['box'], check = () => {}) {
  try {
    check()
    return laid.draw(region)
  } finally {
    laid.release()
  }
}
