/** Files near the maximum that take minutes if a step of the import takes quadratic time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lengthOf, transformOf } from '../../shared/svg-import/geometry.ts'
import { importSvg } from '../../shared/svg-import/import-svg.ts'
import { withoutComments } from '../../shared/svg-import/style-sheet.ts'

const imported = (svg: string) => importSvg(`<svg width="90" height="60">${svg}</svg>`, 'a')
const cssOf = (svg: string) => JSON.stringify(imported(svg).document.nodes.card)
const repeated = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, i) => part(i))

describe('the import reads large files in linear time', { timeout: 60_000 }, () => {
  test('300,000 rules with the same class', () => {
    const rules = repeated(300_000, (index) => `.a{p${index}:1;fill:#${String(index).padStart(6, '0')}}`).join('')
    assert.match(cssOf(`<style>${rules}</style><text class="a" id="title">x</text>`), /color: #299999/)
  })

  test('a rule with 300,000 classes and as many properties', () => {
    const selectors = repeated(300_000, (index) => `.a${index}`).join()
    const body = repeated(300_000, (index) => `p${index}:url(#a)`).join(';')
    const texts = repeated(100, (index) => `<text class="a${index}" id="title">x</text>`).join('')
    assert.match(cssOf(`<style>${selectors}{${body};fill:#123456}</style>${texts}`), /color: #123456/)
  })

  test('5,000 shapes with a class that has 300,000 references', () => {
    const body = repeated(300_000, (index) => `p${index}:url(#g${index})`).join(';')
    const shapes = '<rect class="a"/>'.repeat(5_000)
    assert.throws(() => imported(`<style>.a{${body}}</style>${shapes}`), /the maximum is 262144/)
  })

  test('1,000 rules for the ancestors of 20,000 texts, and a rule with a million parts', () => {
    const rules = repeated(1_000, (index) => `.a${index} .b .c text{fill:red}`).join('')
    const texts = '<text/>'.repeat(15_000)
    assert.throws(
      () => imported(`<style>${rules}</style>${'<g class="b c">'.repeat(50)}${texts}${'</g>'.repeat(50)}`),
      /150 layers|too many rules/,
    )
    assert.match(
      cssOf(`<style>${'g '.repeat(1_000_000)}text{fill:red}</style><text id="title">x</text>`),
      /color: black/,
    )
    assert.throws(() => imported(`<style>${'.a'.repeat(4_500_000)}{}</style>`), /A style sheet of the SVG has 9000002/)
  })

  test('brackets and names of a style sheet that are not closed', () => {
    for (const part of ['a{', '(', '@media{', 'a:not(', '"', 'a[', 'url(', '{', '}', '!', '<!--'])
      assert.match(cssOf(`<style><![CDATA[${part.repeat(200_000)}]]></style><text id="title">x</text>`), /color: black/)
  })

  test('numbers and units with many characters', () => {
    assert.equal(lengthOf(`${'1'.repeat(4_000_000)}!`), undefined)
    assert.equal(lengthOf(`1${' '.repeat(4_000_000)}!`), undefined)
    assert.equal(lengthOf(`0.${'1'.repeat(1_000_000)}px`), 1 / 9)
  })

  test('transforms and comments that are not closed', () => {
    const open = 'matrix('.repeat(1_000_000)
    assert.deepEqual(transformOf(`${open}) translate(3 4)`), [1, 0, 0, 1, 3, 4])
    assert.equal(withoutComments(`a/*b*/c${'/*d'.repeat(1_000_000)}`), 'ac')
  })

  test('a long name', () => {
    const { document } = imported(`<text id="title${'-'.repeat(4_000_000)}b_">x</text>`)
    assert.deepEqual(
      document.parameters.map(({ name }) => name),
      ['title'],
    )
  })

  test('15,000 parts of a text', () => {
    const { document } = imported(`<text id="title">${`${'a'.repeat(1_000)}<tspan/>`.repeat(15_000)}</text>`)
    assert.equal(String(document.parameters[0]?.default).length, 15_000_000)
  })

  test('15,000 texts in 80 groups with a clip path', () => {
    const clip = '<clipPath id="c"><rect width="90" height="60"/></clipPath>'
    const open = '<g clip-path="url(#c)" transform="translate(0)">'.repeat(80)
    assert.throws(() => imported(`${clip}${open}${'<text/>'.repeat(15_000)}${'</g>'.repeat(80)}`), /150 layers/)
  })
})
