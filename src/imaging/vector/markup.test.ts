import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { parseMarkup } from './markup.ts'

test('nested elements combine, and end at their closing tags', () => {
  assert.deepEqual(parseMarkup('a<b>b<i>c</i></b><u><s>d</s></u>'), [
    { text: 'a', style: {} },
    { text: 'b', style: { weight: 700 } },
    { text: 'c', style: { weight: 700, italic: true } },
    { text: 'd', style: { underline: true, strike: true } },
  ])
})

test('a span sets its attributes, and the innermost value wins', () => {
  const markup = `<span color="#f00" weight="300" size="150%" font="Lora" background='white'>a<span color="red">b</span></span>`
  const style = { color: '#f00', weight: 300, size: 1.5, font: 'Lora', background: 'white' }
  assert.deepEqual(parseMarkup(markup), [
    { text: 'a', style },
    { text: 'b', style: { ...style, color: 'red' } },
  ])
})

test('converts entities and character references, and keeps spaces and line ends', () => {
  const text = parseMarkup('&lt;b&gt; &amp;&quot;&apos; &#39;&#x1f600;\n  x').map((run) => run.text)
  assert.equal(text.join(''), `<b> &"' '😀\n  x`)
})

test('uses the weight names of Pango', () => {
  assert.deepEqual(parseMarkup('<span weight="heavy">a</span>')[0]?.style, { weight: 900 })
})

const wrong: [markup: string, message: RegExp][] = [
  ['a <b>c', /line 1, column 6.*unclosed tag: b/],
  ['a\n<b>c</i>', /line 2, column 8/],
  ['5 < 6', /line 1, column 4.*&lt;/],
  ['salt & pepper', /line 1, column \d+.*&amp;/],
  ['&nbsp;', /line 1, column 6/],
  ['<h1>x</h1>', /<h1> is not a known element. Known elements: b, i, u, s, span/],
  ['<b color="red">x</b>', /color is not an attribute of <b>. Known attributes: none/],
  [
    '<span href="x">x</span>',
    /href is not an attribute of <span>. Known attributes: color, background, weight, size, font/,
  ],
  ['<span constructor="x">x</span>', /constructor is not an attribute of <span>/],
  ['<span color="nothing">x</span>', /color="nothing" must be a CSS colour/],
  ['<span weight="1000">x</span>', /weight="1000" must be from 100 to 900/],
  ['<span weight="constructor">x</span>', /must be from 100 to 900/],
  ['<span size="12">x</span>', /size="12" must be a share/],
  ['<span size="1001%">x</span>', /from 10% to 1000%/],
  ['<span font=" ">x</span>', /must be the name of a font/],
  ['<span color=red>x</span>', /line 1/],
  ['<!-- x -->', /comments are not supported/],
  ['<?x y?>', /processing instructions are not supported/],
  ['<!DOCTYPE x [<!ENTITY y "z">]>&y;', /line 1/],
]

for (const [markup, message] of wrong) {
  test(`rejects ${JSON.stringify(markup)} with the position`, () => {
    assert.throws(
      () => parseMarkup(markup),
      (error: unknown) =>
        error instanceof Fault && error.details.reason === 'input_invalid' && message.test(error.message),
    )
  })
}

test('drops control characters, which XML forbids, and breaks lines where office programs do', () => {
  assert.deepEqual(
    parseMarkup('a\u0007b\u000bc\u0085d\uffff')
      .map(({ text }) => text)
      .join(''),
    'ab\nc\nd',
  )
})

test('accepts nested elements up to the limit', () => {
  const nested = (depth: number) => `${'<b>'.repeat(depth)}x${'</b>'.repeat(depth)}`
  assert.equal(parseMarkup(nested(limits.markupDepthMax))[0]?.text, 'x')
  assert.throws(() => parseMarkup(nested(limits.markupDepthMax + 1)), /nested more than/)
})

test('any text with escaped < & and > is unchanged', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/\p{Cc}/u.test(text))
      assert.equal(
        parseMarkup(escaped(text))
          .map((run) => run.text)
          .join(''),
        text,
      )
    }),
    { seed: 7 },
  )
})

test('reads or rejects any markup, without another error', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<', '>', '/', 'b', 'span', ' ', 'size="2', '"', '&', ';', '#', '9', ']]>', '=')),
      (parts) => {
        try {
          parseMarkup(parts.join(''))
        } catch (error) {
          assert.ok(error instanceof Fault && error.details.reason === 'input_invalid', `${error}`)
        }
      },
    ),
    { seed: 7, numRuns: repetitions(200, 1_000) },
  )
})
