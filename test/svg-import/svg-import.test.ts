import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { importSvg } from '../../shared/svg-import/import-svg.ts'
import { SvgProblem } from '../../shared/svg-import/svg-problem.ts'
import { compare } from '../golden/compare.ts'
import { fromPng } from '../golden/render.ts'
import { goldenOf, importSample, renderImported, sampleNames } from './render.ts'

describe('an imported SVG is a valid workflow that still gives its golden image', () => {
  for (const name of sampleNames)
    test(name, async () => {
      const [expected, actual] = await Promise.all([
        readFile(goldenOf(name)).then(fromPng),
        renderImported(importSample(name)).then(fromPng),
      ])
      const problem = compare(actual, expected, { maxDelta: 60, meanDelta: 0.3 })
      assert.equal(problem, undefined, `${problem}. If it is right: node scripts/svg-samples.ts --update ${name}`)
    })
})

const parametersOf = (name: string) =>
  importSample(name).document.parameters.map(({ name, format = 'text', default: value }) => [name, format, value])

test('texts, images and colours with a name become parameters with their values', () => {
  assert.deepEqual(parametersOf('figma-photo'), [
    ['product-photo', 'image', './product-photo.jpg'],
    ['name', 'text', 'Espresso'],
    ['price', 'text', '€2.40'],
  ])
  assert.deepEqual(parametersOf('figma-card')[0], ['headline', 'text', 'Ship images from\none template'])
  assert.deepEqual(parametersOf('illustrator-classes')[0], ['person-name', 'text', 'Mira Okafor'])
  assert.deepEqual(parametersOf('illustrator-brand'), [
    ['brand-layer', 'color', '#be123c'],
    ['label', 'text', 'v2.0'],
  ])
  assert.deepEqual(
    parametersOf('inkscape-mm').map(([name]) => name),
    ['title', 'photo'],
  )
})

test('layers keep their order, and the report names what became of each', () => {
  const { document, report } = importSample('figma-photo')
  assert.deepEqual(Object.keys(document.nodes), ['shapes', 'product-photo', 'shapes-2', 'card'])
  assert.deepEqual(
    report.map(({ layer, became }) => `${layer}: ${became}`),
    [
      'shapes: svg (1 shape)',
      'Product photo: parameter product-photo',
      'Name: parameter name',
      'Price: parameter price',
      'shapes-2: svg (1 shape)',
      'Order: text',
    ],
  )
})

test('the report names outlined text, missing fonts, effects, and images that are not embedded', () => {
  const notes = (svg: string) =>
    importSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${svg}</svg>`, 'a')
      .report.map(({ note }) => note)
      .join('\n')
  assert.match(
    importSample('inkscape-outlined')
      .report.map(({ note }) => note)
      .join(),
    /outlined text, which stays an image/,
  )
  assert.match(
    notes('<text id="a" font-family="Helvetica Neue">x</text>'),
    /Helvetica Neue is not included: Inter is used/,
  )
  assert.match(notes('<text id="a" filter="url(#b)">x</text>'), /stays in the SVG, because it has a filter/)
  assert.match(notes('<image href="http://host/a.png" width="9" height="9"/>'), /not embedded/)
  assert.match(notes('<text id="a">x<tspan fill="red">y</tspan></text>'), /different styles/)
})

const figmaShadow = `<filter id="s"><feFlood flood-opacity="0" result="b"/>
  <feColorMatrix in="SourceAlpha" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="a"/><feOffset dy="4"/>
  <feGaussianBlur stdDeviation="2"/><feComposite in2="a" operator="out"/>
  <feColorMatrix values="0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0.25 0"/><feBlend in2="b" result="d"/>
  <feBlend in="SourceGraphic" in2="d"/></filter>`

function importedCard(inside: string) {
  const { document, report } = importSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${inside}</svg>`,
    'a',
  )
  const { params } = document.nodes.card as { params: { css: string } }
  return { names: document.parameters.map(({ name }) => name), css: params.css, report }
}

// The declaration of the text; undefined without a shadow.
const shadows: [what: string, svg: string, shadow: string | undefined][] = [
  [
    'a group of Figma',
    `${figmaShadow}<g filter="url(#s)"><text id="a" font-family="Anton">x</text></g>`,
    '0px 4px 4px rgb(255 0 0 / 0.25)',
  ],
  [
    'a group with a card',
    `${figmaShadow}<g filter="url(#s)"><rect width="9" height="9"/><text id="a">x</text></g>`,
    undefined,
  ],
  [
    'feDropShadow',
    '<filter id="s"><feDropShadow dx="1" dy="2" stdDeviation="3" flood-color="#123"/></filter><text id="a" filter="url(#s)">x</text>',
    '1px 2px 6px #123',
  ],
  [
    'a filter of Inkscape',
    '<filter id="s"><feFlood flood-opacity=".5" flood-color="red" result="f"/><feComposite in="f" in2="SourceGraphic" operator="in"/><feGaussianBlur stdDeviation="1"/><feOffset dx="2" dy="2" result="o"/><feComposite in="SourceGraphic" in2="o" operator="over"/></filter><text id="a" filter="url(#s)">x</text>',
    '2px 2px 2px color-mix(in srgb, red 50%, transparent)',
  ],
  [
    'two functions of CSS, scaled',
    '<g transform="scale(2)"><text id="a" style="filter:drop-shadow(1px 1px 2px rgb(0 0 0 / 50%)) drop-shadow(0 0 red)">x</text></g>',
    '2px 2px 4px rgb(0 0 0 / 50%), 0px 0px 0px red',
  ],
]

for (const [what, svg, shadow] of shadows) {
  test(`a text with the shadow of ${what} becomes a parameter`, () => {
    const { names, css } = importedCard(svg)
    assert.deepEqual(names, ['a'])
    assert.equal(/text-shadow: ([^;}]+?) *[;}]/.exec(css)?.[1], shadow)
  })
}

test('a text with another filter stays in the SVG', () => {
  const blur = '<filter id="s"><feGaussianBlur stdDeviation="2"/></filter><text id="a" filter="url(#s)">x</text>'
  const inner = figmaShadow.replace('operator="out"', 'operator="arithmetic"')
  for (const svg of [
    blur,
    `${inner}<text id="a" filter="url(#s)">x</text>`,
    '<text id="a" filter="blur(2px)">x</text>',
  ]) {
    const { names, report } = importedCard(svg)
    assert.deepEqual(names, [])
    assert.match(report.map(({ note }) => note).join(), /because it has a filter/)
  }
})

const refused: [what: string, svg: string, message: RegExp][] = [
  ['another document', '<html></html>', /root must be <svg xmlns/],
  ['broken XML', '<svg><g></svg>', /not a valid SVG/],
  ['another namespace', '<svg xmlns="http://host/svg"/>', /root must be <svg xmlns/],
  [
    'an entity with entities',
    '<!DOCTYPE svg [<!ENTITY a "&b;&b;">]><svg/>',
    /declares the entity "a" as markup or other/,
  ],
  ['an entity with a file', '<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/passwd">]><svg/>', /entity "a" as a file/],
  ['parameter entities', '<!DOCTYPE svg [<!ENTITY % a "b">%a;]><svg/>', /declares parameter entities/],
  [
    'long entities',
    `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(9_000)}">]><svg>${'&a;'.repeat(2_000)}</svg>`,
    /more than 16777216 characters with the values of its entities/,
  ],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>', /has no size/],
  ['a huge size', '<svg width="1e9" height="5"/>', /maximum is 16384/],
  ['deep nesting', `<svg width="9" height="9">${'<g>'.repeat(200)}${'</g>'.repeat(200)}</svg>`, /nested more than 100/],
  ['many elements', `<svg width="9" height="9">${'<g/>'.repeat(20_001)}</svg>`, /more than 20000 elements/],
  [
    'groups that use repeats exponentially',
    `<svg width="9" height="9"><g id="a0"><rect/></g>${Array.from({ length: 30 }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`).join('')}</svg>`,
    /draws more than 20000 elements, the maximum, because <use> repeats groups. Export/,
  ],
  [
    'a long chain of uses',
    `<svg width="9" height="9"><g id="a0"><text/></g>${Array.from({ length: 9_000 }, (_, i) => `<g id="a${9_000 - i}"><use href="#a${8_999 - i}"/></g>`).join('')}</svg>`,
    /<use> repeats, the elements of the SVG are nested more than 100 deep/,
  ],
  ['many texts', `<svg width="9" height="9">${'<text>a</text>'.repeat(200)}</svg>`, /more than 150 layers/],
  ['long paths', `<svg width="9" height="9"><path d="${'M0 0'.repeat(80_000)}"/></svg>`, /the maximum is 262144/],
]

describe('an SVG that is too large or not valid is refused with the reason', () => {
  for (const [label, svg, message] of refused)
    test(label, () => {
      assert.throws(
        () => importSvg(svg, 'a'),
        (error: unknown) => error instanceof SvgProblem && message.test(error.message),
      )
    })
})

const imported = (svg: string) =>
  importSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${svg}</svg>`, 'a')
const pixel = 'data:image/png;base64,AAAA'

test('an image with an effect stays in the SVG, and becomes a parameter if it is too large for that', () => {
  const clip = '<clipPath id="c"><circle r="9"/></clipPath>'
  const image = (href: string) => `${clip}<image id="hero" clip-path="url(#c)" width="90" height="60" href="${href}"/>`
  const small = imported(image(pixel))
  assert.deepEqual(small.document.parameters, [])
  assert.match(JSON.stringify(small.document.nodes.shapes), /AAAA/)
  assert.match(small.report[0]?.note ?? '', /the image stays in the SVG, because it has a clip-path/)
  const large = imported(image(`${pixel}${'A'.repeat(131_072)}`))
  assert.deepEqual(
    large.report.map(({ became, note }) => [became, note]),
    [['parameter hero', 'its clip-path is not supported']],
  )
})

test('a clip path around the entire canvas is ignored, and a smaller or moved one is kept', () => {
  const becomes = (rect: string, transform = '') =>
    imported(
      `<clipPath id="c">${rect}</clipPath><g clip-path="url(#c)"${transform}><image id="hero" width="90" height="60" href="${pixel}"/></g>`,
    ).report[0]?.became
  const all = '<rect width="90" height="60"/>'
  assert.equal(becomes(all), 'parameter hero')
  assert.equal(becomes('<rect width="45" height="30" transform="scale(2)"/>'), 'parameter hero')
  assert.equal(becomes('<rect width="90" height="50"/>'), 'svg')
  assert.equal(becomes('<rect width="90" height="60" rx="9"/>'), 'svg')
  assert.equal(becomes('<rect width="90" height="60"/><circle r="2"/>'), 'svg')
  assert.equal(becomes(all, ' transform="translate(9)"'), 'svg')
})

test('a text in a card with round corners becomes a parameter', () => {
  const becomes = (radius: string) =>
    imported(
      `<clipPath id="c"><rect width="90" height="60" ${radius}/></clipPath>
      <g clip-path="url(#c)"><rect width="90" height="60"/><text id="title" x="9" y="30">x</text></g>`,
    ).report.find(({ layer }) => layer === 'title')?.became
  assert.equal(becomes('rx="7"'), 'parameter title')
  assert.equal(becomes('rx="4" ry="7"'), 'parameter title')
  for (const radius of ['rx="8"', 'ry="30"', 'rx="50%"']) assert.equal(becomes(radius), 'svg', radius)
})

test('a shape has the definitions that it uses, wherever they are, but no images that only other layers use', () => {
  const { document } = imported(`
    <g><linearGradient id="g"/><rect width="9" height="9" fill="url(#g)"/></g>
    <text id="title">x</text>
    <use href="#g2"/><path id="p" d="M0 0H9V9Z" fill="url(#photo)"/>
    <text id="line">x</text>
    <g id="g2"><circle r="4"/></g>
    <defs><pattern id="photo"><image href="${pixel}" width="9" height="9"/></pattern></defs>`)
  const [first = '', second = '', third = ''] = ['shapes', 'shapes-2', 'shapes-3'].map((name) =>
    JSON.stringify(document.nodes[name]),
  )
  assert.match(first, /<linearGradient id=/)
  assert.match(second, /<g id=\\"g2\\"><circle/)
  assert.match(second, /AAAA/)
  assert.doesNotMatch(first + third, /AAAA/)
})

test('a gradient does not become a parameter, and a text without a fill has its stroke', () => {
  const { document, report } =
    imported(`<linearGradient id="g"/><rect data-param="bg" width="9" height="9" fill="url(#g)"/>
    <g fill="#abc"><rect data-param="tone" width="9" height="9"/></g>
    <text id="title" fill="none" stroke="#f00" stroke-width="2">x</text>`)
  assert.deepEqual(
    document.parameters.map(({ name, default: value }) => [name, value]),
    [
      ['tone', '#abc'],
      ['title', 'x'],
    ],
  )
  assert.match(report[0]?.note ?? '', /its fill \(url\(#g\)\) is not a colour/)
  assert.match(JSON.stringify(document.nodes.card), /color: transparent; -webkit-text-stroke: 2px #f00/)
})

test('hidden texts and images are left out, and a text with a hidden part stays in the SVG', () => {
  const layers = (svg: string) => imported(svg).report.map(({ layer, became }) => `${layer}: ${became}`)
  const hiding = '<style>.off{display:none} .ghost{visibility:hidden}</style>'
  for (const attribute of ['class="off"', 'class="ghost"', 'visibility="hidden"', 'style="visibility: collapse"']) {
    assert.deepEqual(layers(`${hiding}<text ${attribute} id="title">x</text>`), [])
    assert.deepEqual(layers(`${hiding}<g ${attribute}><image id="hero" href="${pixel}"/></g>`), [])
  }
  assert.deepEqual(layers('<g visibility="hidden"><text visibility="visible" id="title">x</text></g>'), [
    'title: parameter title',
  ])
  for (const attribute of ['visibility="hidden"', 'display="none"']) {
    const { document, report } = imported(`<text id="title">x<tspan ${attribute}><tspan>y</tspan></tspan></text>`)
    assert.match(report[0]?.note ?? '', /the text stays in the SVG, because it has a hidden part/)
    assert.deepEqual(document.parameters, [])
  }
})

test('the report names blend modes', () => {
  const { report } = imported(`<g style="mix-blend-mode:multiply"><rect width="9" height="9"/></g>
    <text id="title" style="mix-blend-mode:screen">x</text>`)
  assert.match(report[0]?.note ?? '', /blend mode only affects shapes/)
  assert.match(report.at(-1)?.note ?? '', /blend mode is not supported/)
})

test('scripts, links and templates of the file are not executed', async () => {
  const { document } = importSvg(
    '<svg width="40" height="30"><script>x</script><rect width="9" height="9" onclick="x()"/><text>{{ secret }}</text></svg>',
    'a',
  )
  assert.doesNotMatch(JSON.stringify(document), /<script|onclick/)
  await renderImported({ document, images: [], report: [] })
})

test('only colours and weights of texts are written to the CSS', () => {
  const cssOf = (attributes: string) => JSON.stringify(imported(`<text id="a" ${attributes}>x</text>`).document.nodes)
  for (const color of ['{{ brand.secret }}', 'red } body { color: red', '{% if a %}', 'rgb(', 'a;b:c', 'red/*', '\\7d'])
    for (const property of ['fill', 'stroke']) {
      const { document, report } = imported(`<text id="a" ${property}="${color}">x</text>`)
      assert.ok(!JSON.stringify(document.nodes.card).includes(`${JSON.stringify(color).slice(1, -1)};`), color)
      assert.match(report[0]?.note ?? '', /is not a colour/)
    }
  for (const color of ['#abc', 'RebeccaPurple', 'rgb(10%, 20%, 30%)', 'hsl(120deg 50% 50% / 0.5)'])
    assert.ok(cssOf(`fill="${color}"`).includes(`color: ${color}`), color)
  for (const weight of ['constructor', '1e999', '-5', '{{ a }}'])
    assert.match(cssOf(`font-weight="${weight}"`), /font-weight: 400;/)
  assert.match(cssOf('font-weight="650"'), /font-weight: 650;/)
})

test('templates in attributes of the root are not executed', () => {
  const { document } = importSvg(
    '<svg width="9" height="9" fill="{{ brand.secret }}"><rect width="9" height="9"/></svg>',
    'a',
  )
  assert.ok(JSON.stringify(document.nodes.shapes).includes(`fill=\\"{{ '{' }}{ brand.secret`))
})

test('numbers that are too large for CSS are refused', () => {
  const large = [
    'font-size="1e999"',
    'x="1e308" transform="scale(1e200) scale(1e200)"',
    'transform="rotate(9) scale(1e308) scale(9)"',
  ]
  for (const attributes of large)
    assert.throws(
      () => imported(`<text id="a" ${attributes}>x</text>`),
      /A length or a transform of the SVG is too large/,
    )
})

test('names of a namespace have any prefix, and entities have the values of the document type', () => {
  const { document, report } = importSvg(
    `<?xml version="1.0"?><!DOCTYPE svg:svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
      <!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY ns_xlink 'http://www.w3.org/1999/xlink'><!ENTITY brand "Acme">
    ]><svg:svg xmlns:svg="&ns_svg;" xmlns:x="&ns_xlink;" xmlns:s="http://www.serif.com/" xmlns:other="http://host" width="90" height="60">
      <svg:defs><svg:circle id="dot" r="3"/></svg:defs><svg:use x:href="#dot" other:a="b"/>
      <svg:image id="hero" x:href="${pixel}" width="9" height="9"/><other:text>y</other:text>
      <svg:text id="a1" s:id="Headline">&brand; &amp; Co</svg:text><text xmlns="http://host">z</text></svg:svg>`,
    'a',
  )
  assert.deepEqual(
    report.map(({ became }) => became),
    ['svg (1 shape)', 'parameter hero', 'parameter headline'],
  )
  assert.equal(document.parameters[1]?.default, 'Acme & Co')
  assert.match(JSON.stringify(document.nodes.shapes), /<use xlink:href=\\"#dot\\"\/>/)
})

test('the file cannot write templates into shapes', () => {
  const { document } = imported(`<rect data-param="tone" width="9" height="9" style="--a:{{ brand.secret }}"/>
    <g filter="url(#f)"><text>\ue000brand.secret\ue000 {<!-- -->{ brand.secret }} <![CDATA[{]]>% if a %}</text></g>`)
  assert.deepEqual(
    [...JSON.stringify(document.nodes.shapes).matchAll(/\{[{%][^}]*\}\}?/g)].map(([text]) => text),
    ["{{ '{' }}", '{{ tone | escape }}', "{{ '{' }}", "{{ '{' }}"],
  )
  assert.match(JSON.stringify(document.nodes.shapes), /\ue000brand.secret\ue000/)
})

test('texts and images that use repeats become layers with the rules of their own place', () => {
  const { document, report } = imported(`<style>.t{fill:red} g > .t{fill:blue}</style>
    <symbol id="s" viewBox="0 0 10 10"><text id="title" class="t" x="5" y="5">x</text></symbol>
    <use href="#s" x="10" y="20" width="20" height="40"/><use href="#s" id="loop" x="50%" width="10" height="10"/>
    <g id="own"><use href="#own"/><rect width="9" height="9"/></g>`)
  const { css } = (document.nodes.card as { params: { css: string } }).params
  assert.deepEqual(
    report.map(({ became }) => became),
    ['parameter title', 'parameter title-2', 'svg (2 shapes)'],
  )
  assert.match(css, /#title \{ left: 20px;.*font-size: 32px;.*color: red/)
  assert.match(css, /#title-2 \{ left: 50px;.*font-size: 16px/)
})

test('nested SVGs and images have their place in the viewport', () => {
  const { document } = imported(`<svg x="10" width="40" height="20" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMid">
      <text id="title" x="50%">x</text></svg>
    <image id="hero" x="50%" width="50%" height="9" href="${pixel}" preserveAspectRatio="xMinYMax"/>`)
  const { css } = (document.nodes.card as { params: { css: string } }).params
  assert.match(css, /#title \{ left: 40px/)
  assert.match(
    css,
    /#hero \{ left: 45px; top: 0px; width: 45px; height: 9px; object-fit: contain; object-position: 0% 100% /,
  )
})

test('the aspect ratio of the view box gives a missing side, and preserveAspectRatio the place', () => {
  const sizeOf = (attributes: string) => {
    const { document } = importSvg(`<svg viewBox="0 0 40 20" ${attributes}><text id="title">x</text></svg>`, 'a')
    const { width, height, css } = (document.nodes.card as { params: Record<string, string> }).params
    return [width, height, /#title \{ left: ([\d.]+)/.exec(css ?? '')?.[1]]
  }
  assert.deepEqual(sizeOf('width="80"'), [80, 40, '0'])
  assert.deepEqual(sizeOf('height="80"'), [160, 80, '0'])
  assert.deepEqual(sizeOf('width="80" height="20"'), [80, 20, '20'])
  assert.deepEqual(sizeOf('width="80" height="20" preserveAspectRatio="xMaxYMid"'), [80, 20, '40'])
})

test('transforms of CSS and their origins are written as attributes', () => {
  const transformOf = (attributes: string) =>
    /transform=\\"matrix\(([^)]*)\)/.exec(
      JSON.stringify(imported(`<rect x="10" width="20" height="10" ${attributes}/>`).document.nodes.shapes),
    )?.[1]
  assert.equal(transformOf('transform="scale(2)" transform-origin="10 20"'), '2 0 0 2 -10 -20')
  assert.equal(transformOf('style="transform: translate(1in, 2px) scaleX(2)"'), '2 0 0 1 96 2')
  assert.equal(transformOf('style="transform:scale(2);transform-origin:center"'), '2 0 0 2 -45 -30')
  const { document } = importSvg(
    '<svg viewBox="-50 -20 90 60"><rect width="9" height="9" transform="scale(2)" transform-origin="10 20"/></svg>',
    'a',
  )
  assert.match(JSON.stringify(document.nodes.shapes), /matrix\(2 0 0 2 -10 -20\)/)
  const inBox = 'style="transform:scale(2);transform-box:fill-box;transform-origin:right top"'
  assert.equal(transformOf(inBox), '2 0 0 2 -30 0')
  const turned = imported('<text id="title" style="transform:rotate(0.25turn)">x</text>')
  assert.match(JSON.stringify(turned.document.nodes.card), /matrix\(0, 1, -1, 0, 0, 0\)/)
  const { report } = imported(
    `<path id="arrow" d="M0 0" ${inBox}/><rect id="box" style="transform:rotate3d(1,1,1,9deg)"/>`,
  )
  assert.deepEqual(
    report.slice(1).map(({ layer, note }) => [layer, note]),
    [
      ['arrow', 'transform-origin is not supported'],
      ['box', 'transform of CSS is not supported'],
    ],
  )
})

test('a switch has the first child for any reader or one of English, and the report names HTML', () => {
  const { document, report } = imported(`<switch><foreignObject id="note"/><g requiredExtensions="a"><text>x</text></g>
    <text systemLanguage="de">Hallo</text><text id="title" systemLanguage="en-US">Hello</text><text>Hi</text></switch>
    <foreignObject id="note"><p>x</p></foreignObject>`)
  assert.deepEqual(
    document.parameters.map(({ default: value }) => value),
    ['Hello'],
  )
  assert.deepEqual(report.at(-1), { layer: 'note', became: 'left out', note: 'HTML in foreignObject is not supported' })
})

test('data-param names a group with one layer and the only part of a text, and the report names the others', () => {
  const { document, report } = imported(`<g data-param="tone"><rect width="9" height="9" fill="red"/></g>
    <g data-param="pair"><circle r="2"/><circle r="3"/></g>
    <text><tspan data-param="name">Ada</tspan></text><text>Hi <tspan data-param="who">Bob</tspan></text>`)
  assert.deepEqual(
    document.parameters.map(({ name }) => name),
    ['tone', 'name'],
  )
  assert.deepEqual(
    report.filter(({ became }) => became === 'left out').map(({ layer }) => layer),
    ['pair', 'who'],
  )
})
