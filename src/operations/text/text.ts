import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { copyPixels } from '../../imaging/raster/copy.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { intersection } from '../../imaging/raster/region.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import type { DrawnText } from '../../imaging/vector/draw-text.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { areaFrame, rectangleBinds } from '../shared/frames.ts'
import { textParams } from '../shared/text-params.ts'

export const text = defineOperation({
  id: 'text',
  version: 3,
  title: 'Text',
  summary: 'Draws text on an image, or on a transparent image.',
  keywords: [
    'headline',
    'title',
    'heading',
    'font',
    'caption',
    'label',
    'typography',
    'type',
    'write',
    'letters',
    'quote',
    'subtitle',
    'paragraph',
  ],
  group: 'text',
  inputs: {
    image: socket.optional('The image to draw on. Without it, the result is the text on a transparent image.'),
  },
  params: textParams,
  outputs: {
    image: 'The image with the text, or the text alone.',
    drawn: {
      box: 'The box of the text, with the lines.',
      ink: 'The area of the letters, their outline and background, as far as it is in the image.',
    },
  },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  reads: { fonts: true },
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
      name: 'hollow',
      params: {
        text: 'Hollow',
        font: 'Anton',
        size: 72,
        transform: 'uppercase',
        letterSpacing: 0.02,
        color: 'transparent',
        outlineWidth: 2.5,
        outlineColor: '#1864ab',
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
      name: 'scripts of general use',
      params: {
        text: 'বাংলা ওহে বিশ্ব · தமிழ் வணக்கம்\nአማርኛ ሰላም ዓለም · ქართული\nహలో ప్రపంచం · ಕನ್ನಡ · മലയാളം\nසිංහල ශ්‍රී · ខ្មែរ សួស្តី · မြန်မာ\nབཀྲ་ཤིས་བདེ་ལེགས། · ଓଡ଼ିଆ · ગુજરાતી\nՀայերեն · ਪੰਜਾਬੀ · ລາວ · ދިވެހި',
        size: 26,
        weight: 600,
        lineHeight: 1.4,
      },
    },
    {
      name: 'emoji sequences',
      params: {
        text: '🏳️‍🌈❤️‍🔥🏴‍☠️👁️‍🗨️👨‍⚖️👩🏿‍❤️‍💋‍👩🏻🧔🏻‍♂️\n3️⃣ steps, #️⃣ and ©️, not 3, # and ©\nمرحبا ❤️‍🔥 بالعالم 3️⃣',
        size: 32,
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
    // Loaded with the first text, so that the service starts without it.
    const { drawText: layText } = await import('../../imaging/vector/draw-text.ts')
    const fullImage = image && { x: 0, y: 0, width: image.width, height: image.height }
    const place = fullImage ? (box ?? fullImage) : box && { ...box, x: 0, y: 0 }
    const laid = await layText(style, context, { box: place, placesCarets: context.placesCarets })
    try {
      const frame = boxFrame(laid, image !== undefined)
      if (image && !isVisible(laid.visible, image)) return { image, drawn: [frame] }
      const pixels = image ? await ownPixels(image, context) : await sheet(laid.box, context)
      const ink = await laid.drawOn(pixels, context)
      return { image: imageFromPixels(pixels), drawn: ink ? [frame, areaFrame('ink', 'box', 'result', ink)] : [frame] }
    } finally {
      laid.release()
    }
  },
})

function boxFrame({ box, lines, carets }: DrawnText, isOnImage: boolean): Frame {
  const { width, height, ...place } = rectangleBinds('box')
  // Text alone ignores the position.
  const binds = {
    ...(isOnImage && place),
    ...(width && { width }),
    ...(height && { height }),
    fontSize: { param: 'size' },
  }
  return {
    ...areaFrame('box', 'box', 'result', box, binds),
    lines,
    ...(carets && { text: { param: 'text', ...carets } }),
  }
}

function isVisible(visible: DrawnText['visible'], { width, height }: ImageValue): boolean {
  return visible !== undefined && intersection(visible, { x: 0, y: 0, width, height }) !== undefined
}

async function ownPixels(image: ImageValue, context: OperationContext): Promise<Pixels> {
  const pixels = await pixelsOf(image, context)
  return { ...pixels, data: await copyPixels(pixels, context) }
}

/** A sheet as large as the text or its box. */
async function sheet({ width, height }: DrawnText['box'], context: OperationContext): Promise<Pixels> {
  if (width === 0 || height === 0)
    throw failure(
      'input_invalid',
      'There is nothing to draw, because "text" is empty. Set "text" or a box, or connect an image.',
    )
  checkSize(width, height, context.pixelsMax)
  return solidColor(width, height, { r: 0, g: 0, b: 0, alpha: 0 }, context)
}
