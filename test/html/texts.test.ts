/** Texts in which the two text engines disagreed: each is drawn like another text that says explicitly how it looks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checker } from '../../src/domain/validate.ts'
import { pixelsOf } from '../../src/imaging/raster/image.ts'
import { html } from '../../src/operations/text/html.ts'
import { text } from '../../src/operations/text/text.ts'
import { context } from '../golden/render.ts'

async function drawHtml(markup: string, css = '', width = 200) {
  const warnings: string[] = []
  const params = { html: markup, css: `body{font-size:24px}${css}`, width }
  assert.deepEqual(checker(html.params)(params), [])
  const { image } = await html.run({ images: [] } as never, params as never, {
    ...context,
    warn: (warning) => void warnings.push(warning),
    wires: { images: [] },
  })
  assert.ok(image)
  return { pixels: await pixelsOf(image, context), warnings }
}

async function drawText(value: string, more: Record<string, unknown> = {}) {
  const warnings: string[] = []
  const params = { text: value, size: 24, box: { width: 200, height: 200 }, ...more }
  assert.deepEqual(checker(text.params)(params), [])
  const { image } = await text.run({} as never, params as never, {
    ...context,
    warn: (warning) => void warnings.push(warning),
  })
  assert.ok(image)
  return { pixels: await pixelsOf(image, context), warnings }
}

async function assertAlike(...drawings: ReturnType<typeof drawText>[]): Promise<void> {
  const [first, ...others] = await Promise.all(drawings)
  for (const { pixels } of others) {
    assert.deepEqual([pixels.width, pixels.height], [first?.pixels.width, first?.pixels.height])
    assert.ok(first?.pixels.data.equals(pixels.data), 'the images differ')
  }
}

const lines = (...all: string[]) => drawHtml(all.map((line) => `<div>${line}</div>`).join(''))

describe('soft hyphens', () => {
  const words = 'Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft'
  const broken = ['Donaudampf-', 'schifffahrts-', 'gesellschaft']
  test('in html', () => assertAlike(drawHtml(words), drawHtml(words.replaceAll('\u00ad', '&shy;')), lines(...broken)))
  test('in text', () => assertAlike(drawText(words), drawText(broken.join('\n'))))

  test('move a part to the next line if there is no room for the hyphen', async () => {
    const value = 'Schiff\u00adfahrts\u00adgesellschaft'
    for (let width = 90; width < 180; width += 6) {
      const box = { width, height: 200 }
      const options = ['Schifffahrts-\ngesellschaft', 'Schiff-\nfahrts-\ngesellschaft', 'Schiff-\nfahrtsgesellschaft']
      const drawn = await drawText(value, { box, fit: 'ellipsis' })
      const found = await Promise.all(options.map((option) => drawText(option, { box, fit: 'ellipsis' })))
      // A word that doesn't fit is broken, at the same place in each.
      assert.ok(
        found.some(({ pixels }) => pixels.data.equals(drawn.pixels.data)),
        `at ${width}`,
      )
    }
  })
})

describe('right to left', () => {
  test('words of a wrapped paragraph without direction have their spaces', () =>
    assertAlike(drawHtml('<div>שלום עולם 12 אבג דהו זחט יכל</div>'), lines('שלום עולם 12 אבג', 'דהו זחט יכל')))

  const box = 'div{width:200px;overflow:hidden}'
  const nowrap = `${box}div{white-space:nowrap;text-overflow:ellipsis}`
  const clamped = `${box}div{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}`
  const hebrew = 'שלום עולם 12 אבג דהו זחט יכל שלום עולם 12 אבג דהו'

  test('an ellipsis is at the end of the line', async () => {
    await assertAlike(
      drawHtml(`<div dir="rtl">${hebrew}</div>`, nowrap),
      drawHtml('<div dir="rtl">שלום עולם 12 אב…</div>', box),
    )
    await assertAlike(
      drawHtml(`<div dir="rtl">${hebrew}</div>`, clamped),
      drawHtml('<div dir="rtl">שלום עולם 12 אבג<br>דהו זחט יכל שלו…</div>', box),
    )
  })
  test('an ellipsis cuts the right end of a paragraph from left to right', () =>
    assertAlike(
      drawHtml('<div>Hello world שלום עולם 12 אבג</div>', nowrap),
      drawHtml('<div>Hello world אבג\u200e…</div>', box),
    ))
  test('a text that fits has no ellipsis', () =>
    assertAlike(drawHtml('<div dir="rtl">שלום עולם</div>', nowrap), drawHtml('<div dir="rtl">שלום עולם</div>', box)))

  test('letter spacing leaves Arabic words joined, in both', async () => {
    await assertAlike(drawHtml('<p>مرحبا</p>', 'p{letter-spacing:5px}'), drawHtml('<p>مرحبا</p>'))
    const natural = await drawText('مرحبا', { box: undefined })
    const spaced = await drawText('مرحبا', { box: undefined, letterSpacing: 0.2 })
    assert.ok(Math.abs(natural.pixels.width - spaced.pixels.width) <= 5)
  })
})

describe('letter case', () => {
  const [style, plain] = ['p{text-transform:capitalize}i{font-style:normal}', 'i{font-style:normal}']
  test('capitalize in html', () =>
    assertAlike(
      drawHtml("<p>d<i>on't</i> mcDonald o’brien’s<br>next</p>", style, 400),
      drawHtml("<p>D<i>on't</i> McDonald O’brien’s<br>Next</p>", plain, 400),
    ))
  test('the language of an element decides', () =>
    assertAlike(
      drawHtml('<p lang=el>Άνθρωπος</p><p lang=tr>istanbul <b lang=en>in</b></p>', 'p{text-transform:uppercase}', 400),
      drawHtml('<p lang=el>ΑΝΘΡΩΠΟΣ</p><p lang=tr>İSTANBUL <b lang=en>IN</b></p>', '', 400),
    ))
  test('an inner element can have another transform', () =>
    assertAlike(
      drawHtml('<p>straße <b class=l>ÀB</b></p>', 'p{text-transform:uppercase}.l{text-transform:lowercase}', 400),
      drawHtml('<p>STRASSE <b class=l>àb</b></p>', '', 400),
    ))
  test('small capitals stay small next to another transform', () =>
    assertAlike(
      drawHtml(
        '<p><i>Small</i> <b>caps</b></p>',
        'i{font-style:normal;font-variant-caps:small-caps}b{font-weight:400;text-transform:uppercase}',
        400,
      ),
      drawHtml(
        '<p><i>Small</i> <b>CAPS</b></p>',
        'i{font-style:normal;font-variant-caps:small-caps}b{font-weight:400}',
        400,
      ),
    ))
  test('Greek capitals in text have no accents', () =>
    assertAlike(drawText('Άνθρωπος', { transform: 'uppercase' }), drawText('ΑΝΘΡΩΠΟΣ')))
  test('a letter that only its capital lacks is reported', async () => {
    const { warnings } = await drawHtml('<p>ƛ</p>', 'p{text-transform:uppercase}')
    assert.match(warnings.join(), /U\+A7DC/)
  })
})

describe('emoji', () => {
  test('signs stay text next to an emoji, in both', async () => {
    for (const draw of [
      (value: string) => drawHtml(value, '', 60),
      (value: string) => drawText(value, { box: { width: 60, height: 200 } }),
    ]) {
      const [alone, next] = [(await draw('♥')).pixels, (await draw('♥ 😀')).pixels]
      const channels = next.channels
      let colored = 0
      for (let y = 0; y < next.height; y += 1)
        for (let x = 0; x < 20; x += 1) {
          const [red = 0, green = 0] = next.data.subarray((y * next.width + x) * channels)
          if (Math.abs(red - green) > 20) colored += 1
        }
      assert.equal(colored, 0)
      assert.ok(alone.data.some((value) => value > 0))
    }
  })
})

describe('control characters', () => {
  const value = 'one\u000btwo\u0007\u001f\ud800\uffff\u0085three'
  test('in html', async () => {
    await assertAlike(drawHtml(value), drawHtml('one<br>two\ufffd<br>three'))
    const { warnings } = await drawHtml(
      `<div class="flex">${value}</div>`,
      `.flex{display:flex}p::before{content:"${value}"}`,
    )
    assert.deepEqual(warnings, ['The text has control characters, which are not drawn: U+0007, U+001F, U+FFFF.'])
  })
  test('in text and in markup', async () => {
    await assertAlike(drawText(value), drawText('one\ntwo\ufffd\nthree'), drawText(value, { markup: true }))
    assert.match((await drawText(value)).warnings.join(), /U\+0007, U\+001F/)
  })
})

describe('characters of office texts', () => {
  const signs = '₀₁₂₃₄₅₆₇₈₉₊₋⁰⁴⁵⁶⁷⁸⁹⁺⁻⅓⅔⅛⅜⅝⅞↵‣℗℠™№℃℉Ωµ∑∆≈≠≤≥±×÷√∞←↑→↓↔⇒✓✗★☆●○■□▲▼ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ\u2010\u2011‰†‡′″'
  const marked = ['x\u0304', 'x\u0305', 'q\u0308', 'R\u0305', 'J\u030c']
  test('are drawn by included fonts, each in both', async () => {
    const box = { width: 60, height: 40 }
    const missing = (await drawText('\u{10c00}', { box })).pixels
    assert.equal((await drawText(signs)).warnings.length + (await drawHtml(signs)).warnings.length, 0)
    for (const sign of [...signs, ...marked]) {
      for (const font of ['Inter', 'Lora']) {
        const { pixels, warnings } = await drawText(sign, { box, font })
        assert.deepEqual(warnings, [])
        assert.ok(pixels.data.some((value) => value > 0) && !pixels.data.equals(missing.data), sign)
      }
    }
  })
})
