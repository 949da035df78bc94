/** The search of the console's palette, with the keywords of the real operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search, searchResults } from '../shared/search.ts'
import { catalogue } from '../src/operations/index.ts'

const operations = [...catalogue.values()].map((operation) => ({ ...operation, names: [operation.id] }))
const found = (query: string) => search(operations, query).map(({ id }) => id)

/** Words that people type, and an operation that must be among the first three results. */
const expected: Record<string, string> = {
  overlay: 'composite',
  blend: 'composite',
  'blend mode': 'composite',
  merge: 'composite',
  layer: 'composite',
  opacity: 'composite',
  multiply: 'composite',
  combine: 'composite',
  color: 'adjust',
  colour: 'adjust',
  brightness: 'adjust',
  contrast: 'adjust',
  saturation: 'adjust',
  hue: 'adjust',
  exposure: 'adjust',
  'white balance': 'temperature',
  warm: 'temperature',
  sepia: 'tint',
  greyscale: 'grayscale',
  bw: 'grayscale',
  'b&w': 'grayscale',
  'black and white': 'grayscale',
  negative: 'invert',
  'auto contrast': 'normalize',
  'color grading': 'lut',
  headline: 'text',
  title: 'text',
  font: 'text',
  fonts: 'text',
  caption: 'text',
  'add text': 'text',
  typography: 'text',
  'text to image': 'generate',
  'text to im': 'generate',
  prompt: 'generate',
  ai: 'generate',
  'image to image': 'edit',
  'remove object': 'inpaint',
  erase: 'inpaint',
  'alt text': 'describe',
  padding: 'extend',
  margin: 'extend',
  border: 'outline',
  frame: 'extend',
  stroke: 'outline',
  scale: 'resize',
  size: 'resize',
  width: 'resize',
  thumbnail: 'resize',
  shrink: 'resize',
  enlarge: 'upscale',
  'super resolution': 'upscale',
  cut: 'crop',
  'face crop': 'smart-crop',
  mirror: 'flip',
  turn: 'rotate',
  skew: 'perspective',
  whitespace: 'trim',
  'rounded corners': 'round',
  circle: 'round',
  rectangle: 'shape',
  pattern: 'tile',
  photo: 'image',
  upload: 'image',
  url: 'image',
  background: 'remove-background',
  transparent: 'remove-background',
  cutout: 'remove-background',
  shadow: 'drop-shadow',
  shadows: 'drop-shadow',
  soften: 'blur',
  crisp: 'sharpen',
  bloom: 'glow',
  mosaic: 'pixelate',
  censor: 'pixelate',
  anonymize: 'faces',
  film: 'grain',
  'noise reduction': 'denoise',
  sketch: 'edges',
  clipping: 'mask',
  collage: 'grid',
  gallery: 'grid',
  'contact sheet': 'thumbnail-sheet',
  'side by side': 'stack',
  join: 'stack',
  select: 'choose',
  logo: 'watermark',
  copyright: 'watermark',
  compare: 'diff',
  comparison: 'before-after',
  graph: 'chart',
  pie: 'chart',
  ean: 'barcode',
  metadata: 'info',
  dimensions: 'info',
  swatches: 'palette',
  placeholder: 'blurhash',
  duplicate: 'phash',
  'image to text': 'ocr',
  gif: 'animate',
  slideshow: 'animate',
  boomerang: 'frames',
}

for (const [query, id] of Object.entries(expected)) {
  test(`"${query}" finds ${id} among the first three operations`, () => {
    const first = found(query).slice(0, 3)
    assert.ok(first.includes(id), `found ${first.join(', ') || 'nothing'}`)
  })
}

test('"scale" finds Resize and Upscale before Grayscale', () => {
  const [first, second, ...others] = found('scale')
  assert.deepEqual([first, second], ['resize', 'upscale'])
  assert.ok(others.includes('grayscale'))
})

test('every operation is the first result for its title, for its id and for each beginning of its title from three letters', () => {
  for (const { id, title } of operations) {
    assert.equal(found(title)[0], id)
    assert.equal(found(id)[0], id)
    for (let length = 3; length < title.length; length++) {
      const start = title.slice(0, length).trim()
      const same = operations.filter((other) => other.title.toLowerCase().startsWith(start.toLowerCase()))
      const first = found(start).slice(0, same.length)
      assert.ok(first.includes(id), `${start}: ${first.join(', ')}`)
    }
  }
})

test('every keyword finds its operation among the first six', () => {
  let seen = 0
  for (const { id, keywords } of operations) {
    for (const keyword of keywords) {
      const first = found(keyword).slice(0, 6)
      assert.ok(first.includes(id), `${keyword} of ${id}: ${first.join(', ')}`)
      seen++
    }
  }
  assert.ok(seen > 300, `saw ${seen}`)
})

test('results say how many words of the query they miss', () => {
  const results = searchResults(operations, 'vintage film grain')
  assert.deepEqual([results[0]?.entry.id, results[0]?.missing], ['grain', 0])
  const some = searchResults(operations, 'photo inside letters')
  assert.ok(some.every(({ missing }) => missing > 0))
  assert.equal(found('progress bar')[0], 'shape')
})
