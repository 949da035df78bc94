import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { importSvg } from '../../shared/svg-import/import-svg.ts'
import { SvgProblem } from '../../shared/svg-import/read-svg.ts'
import { stopHtmlProcesses } from '../../src/imaging/html/html-processes.ts'
import { compare } from '../golden/compare.ts'
import { fromPng } from '../golden/render.ts'
import { goldenOf, importSample, renderImported, sampleNames } from './render.ts'

after(stopHtmlProcesses)

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

const refused: [what: string, svg: string, message: RegExp][] = [
  ['another document', '<html></html>', /root must be <svg>/],
  ['broken XML', '<svg><g></svg>', /not a valid SVG/],
  ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', /declares entities/],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>', /has no size/],
  ['a huge size', '<svg width="1e9" height="5"/>', /maximum is 16384/],
  ['deep nesting', `<svg width="9" height="9">${'<g>'.repeat(200)}${'</g>'.repeat(200)}</svg>`, /nested more than 100/],
  ['many elements', `<svg width="9" height="9">${'<g/>'.repeat(20_001)}</svg>`, /more than 20000 elements/],
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

test('scripts, links and templates of the file are not executed', async () => {
  const { document } = importSvg(
    '<svg width="40" height="30"><script>x</script><rect width="9" height="9" onclick="x()"/><text>{{ secret }}</text></svg>',
    'a',
  )
  assert.doesNotMatch(JSON.stringify(document), /<script|onclick/)
  await renderImported({ document, images: [], report: [] })
})
