/** `tintype test` and `tintype diff` on workflow files: no service, no data directory. */
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { tintype } from '../harness/cli.ts'
import { isFull } from '../harness/repetitions.ts'

/** Runs in the full run; by default the main path of both commands. */
const fullOnly = isFull ? test : async () => {}
const tested = fileURLToPath(new URL('../../examples/tested', import.meta.url))
const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** Runs in an empty folder, which is also the data directory, and checks that it stays empty. */
async function run(...args: string[]) {
  const dataDir = await emptyFolder()
  const ran = await tintype({ dataDir }, ...args)
  assert.deepEqual(await readdir(dataDir), [])
  return ran
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-examples-'))
  folders.push(folder)
  return folder
}

const sheet = (color: string, more = '') =>
  `{ name: Sheet, nodes: { a: { type: canvas, params: { width: 20, height: 10, color: '${color}' } } }, output: { node: a, format: jpeg } ${more} }`

describe('workflow files', { concurrency: 2 }, () => {
  // Text may differ slightly on another machine.
  fullOnly('the examples of this repository match their golden images', async () => {
    const { code, stdout, stderr } = await run('test', tested, '--tolerance', '24', '--allow', '1')
    assert.equal(code, 0, stdout + stderr)
    for (const name of ['usual', 'on-sale', 'long-name']) assert.match(stdout, new RegExp(`pass +product-card/${name}`))
  })

  fullOnly('a golden image that differs fails, and the report shows both and the difference', async () => {
    const folder = await emptyFolder()
    await cp(join(tested, '..', 'samples'), join(folder, 'samples'), { recursive: true })
    await cp(tested, join(folder, 'tested'), { recursive: true })
    const golden = join(folder, 'tested/golden/product-card/usual.webp')
    const red = { create: { width: 40, height: 40, channels: 3 as const, background: '#ff0000' } }
    await writeFile(
      golden,
      await sharp(await readFile(golden))
        .composite([{ input: red, left: 9, top: 9 }])
        .webp({ lossless: true })
        .toBuffer(),
    )
    const report = join(folder, 'report.html')
    const { code, stdout } = await run(
      'test',
      join(folder, 'tested'),
      '--tolerance',
      '24',
      '--allow',
      '1',
      '--report',
      report,
    )
    assert.equal(code, 1)
    assert.match(stdout, /fail +product-card\/usual .* % of pixels differ/)
    const html = await readFile(report, 'utf8')
    for (const label of ['expected', 'actual', 'difference']) assert.ok(html.includes(`>${label}</figcaption>`), label)
    assert.doesNotMatch(html, /(src|href)="(?!data:)|https?:\/\/(?!www\.w3\.org)/)
  })

  test('a missing golden image fails, --update writes a lossless one, and then it passes within the tolerance', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'sheet.yaml'), sheet('#336699'))
    const missing = await run('test', folder)
    assert.equal(missing.code, 1)
    assert.match(missing.stdout, /missing +sheet\/defaults/)
    assert.match((await run('test', folder, '--update')).stdout, /new +sheet\/defaults/)
    const pixels = await sharp(join(folder, 'golden/sheet/defaults.png')).raw().toBuffer()
    assert.deepEqual([...pixels.subarray(0, 3)], [0x33, 0x66, 0x99])
    await writeFile(join(folder, 'sheet.yaml'), sheet('#336a99'))
    const passed = await run('test', folder, '--tolerance', '4', '--json')
    assert.deepEqual(
      (JSON.parse(passed.stdout) as { name: string; outcome: string }[]).map(({ name, outcome }) => [name, outcome]),
      [['sheet/defaults', 'pass']],
    )
    assert.equal((await run('test', folder, '--tolerance', '3')).code, 1)
    assert.equal((await run('test', folder, '--allow', '100')).code, 0)
  })

  fullOnly('a file uses other files by path and by slug, with their own images', async () => {
    const folder = await emptyFolder()
    await mkdir(join(folder, 'parts'))
    await sharp({ create: { width: 4, height: 3, channels: 3, background: '#336699' } })
      .png()
      .toFile(join(folder, 'parts/blue.png'))
    await writeFile(
      join(folder, 'parts/blue.yaml'),
      '{ name: Blue, slug: blue, nodes: { a: { type: image, params: { source: ./blue.png } } }, output: { node: a, format: png } }',
    )
    const using = (workflow: string) =>
      `{ name: Using, nodes: { a: { type: workflow, workflow: '${workflow}' } }, output: { node: a, format: png } }`
    await writeFile(join(folder, 'by-path.yaml'), using('./parts/blue.yaml'))
    await writeFile(join(folder, 'by-slug.yaml'), using('blue@7'))
    const updated = await run('test', folder, '--update')
    assert.equal(updated.code, 0, updated.stdout + updated.stderr)
    for (const name of ['by-path', 'by-slug']) {
      const pixels = await sharp(join(folder, `golden/${name}/defaults.png`))
        .raw()
        .toBuffer()
      assert.deepEqual([...pixels.subarray(0, 3)], [0x33, 0x66, 0x99])
    }
    const { stdout } = await run('diff', join(folder, 'by-path.yaml'), join(folder, 'by-slug.yaml'))
    assert.match(stdout, /0 of 1 example changed/)

    await writeFile(join(folder, 'a.yaml'), using('./b.yaml'))
    await writeFile(join(folder, 'b.yaml'), using('./a.yaml'))
    await writeFile(join(folder, 'c.yaml'), using('./nothing.yaml'))
    await writeFile(join(folder, 'd.yaml'), using('unknown@1'))
    const failed = await run('test', folder)
    assert.match(failed.stdout, /error +a .*uses itself: a.yaml -> b.yaml -> a.yaml/)
    assert.match(failed.stdout, /error +c .*nodes.a.workflow.*nothing.yaml.*can't be read/)
    assert.match(failed.stdout, /error +d .*nodes.a.workflow: is "unknown@1"/)
  })

  fullOnly('paths in typed values name files next to the workflow, in test and in diff', async () => {
    const folder = await emptyFolder()
    const photo = (color: string) => sharp({ create: { width: 6, height: 4, channels: 3, background: color } }).png()
    await writeFile(join(folder, 'red.png'), await photo('#ff0000').toBuffer())
    await writeFile(join(folder, 'blue.png'), await photo('#0000ff').toBuffer())
    const image = '{ type: string, format: image }'
    const pair = (direction: string, examples: string) => `
      name: Pair
      parameters:
        - { name: photos, type: string, format: json, schema: { type: array, items: ${image} }, default: [./red.png, ./red.png] }
      nodes:
        photos: { type: image, each: '{{ photos }}', params: { source: '{{ item }}' } }
        pair: { type: stack, inputs: { images: photos }, params: { direction: ${direction} } }
      output: { node: pair, format: png }
      examples: [${examples}]`
    const both = '{ name: both, parameters: { photos: [./red.png, ./blue.png] } }'
    await writeFile(join(folder, 'pair.yaml'), pair('horizontal', `{ name: defaults }, ${both}`))
    const { stdout, stderr } = await run('test', folder, '--update')
    assert.match(stdout, /new +pair\/both +12 x 4/, stderr)
    const pixels = await sharp(join(folder, 'golden/pair/both.png')).raw().toBuffer()
    assert.deepEqual([...pixels.subarray(0, 3), ...pixels.subarray(33, 36)], [255, 0, 0, 0, 0, 255])
    // Only the second document has the example, and the first one is executed with its values.
    const before = join(folder, 'before.yaml')
    await writeFile(before, pair('vertical', '{ name: defaults }'))
    const compared = await run('diff', before, join(folder, 'pair.yaml'))
    assert.match(compared.stdout, /resized +both/, compared.stderr)
    await writeFile(before, pair('vertical', '{ name: gone, parameters: { photos: [./gone.png] } }'))
    const { stdout: gone } = await run('test', folder)
    assert.match(gone, /error +before\/gone +The file of "\.\/gone\.png" can't be read/)
  })

  fullOnly('templates read the brand values in brand.yaml, whose images are files next to it', async () => {
    const folder = await emptyFolder()
    await mkdir(join(folder, 'cards'))
    const logo = sharp({ create: { width: 4, height: 4, channels: 3, background: '#00ff00' } }).png()
    await writeFile(join(folder, 'logo.png'), await logo.toBuffer())
    const card = `
      name: Card
      nodes:
        sheet: { type: canvas, params: { width: 8, height: 4, color: '{{ brand.paint }}' } }
        logo: { type: image, params: { source: '{{ brand.logo }}' } }
        card: { type: composite, inputs: { image: sheet, overlay: logo }, params: { x: 0, y: 0 } }
      output: { node: card, format: png }`
    await writeFile(join(folder, 'cards/card.yaml'), card)
    const brand = (paint: string) =>
      `values: { paint: { type: color, value: '${paint}' }, logo: { type: image, value: ./logo.png } }`
    const without = await run('test', folder)
    assert.equal(without.code, 1)
    assert.match(without.stdout, /nodes\.sheet\.params\.color: uses the brand value "paint"/)
    await writeFile(join(folder, 'brand.yaml'), brand('#0000ff'))
    assert.match((await run('test', folder, '--update')).stdout, /new +cards\/card\/defaults/)
    const pixels = await sharp(join(folder, 'golden/cards/card/defaults.png')).raw().toBuffer()
    assert.deepEqual([...pixels.subarray(0, 3), ...pixels.subarray(21, 24)], [0, 255, 0, 0, 0, 255])
    await writeFile(join(folder, 'brand.yaml'), brand('#ff0000'))
    assert.equal((await run('test', folder)).code, 1)
    await writeFile(join(folder, 'cards/brand.yaml'), brand('#0000ff').replace('./logo', '../logo'))
    await cp(join(folder, 'cards/card.yaml'), join(folder, 'card.yaml'))
    const compared = await run('diff', join(folder, 'cards/card.yaml'), join(folder, 'card.yaml'))
    assert.match(compared.stdout, /different +defaults .*50 % of pixels differ/, compared.stderr)
    await writeFile(join(folder, 'brand.yaml'), brand('blurple'))
    const { code, stderr } = await run('test', folder)
    assert.equal(code, 1)
    assert.match(stderr, /brand\.yaml: values\.paint\.value: must be a CSS colour/)
  })

  fullOnly('a golden image without an example fails until --update removes it', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'sheet.yaml'), sheet('#336699', ', examples: [{ name: one }, { name: two }]'))
    assert.equal((await run('test', folder, '--update')).code, 0)
    await writeFile(join(folder, 'sheet.yaml'), sheet('#336699', ', examples: [{ name: one }]'))
    const { code, stdout } = await run('test', folder)
    assert.equal(code, 1)
    assert.match(stdout, /unused +sheet\/two/)
    assert.match((await run('test', folder, '--update')).stdout, /removed +sheet\/two/)
    assert.deepEqual(await readdir(join(folder, 'golden/sheet')), ['one.png'])
  })

  fullOnly('an invalid document and a source without a fixture are reported, and the others still run', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'wrong.yaml'), sheet('#336699').replace('canvas', 'canvass'))
    await writeFile(
      join(folder, 'remote.yaml'),
      '{ name: R, nodes: { a: { type: image, params: { source: "https://example.com/x.png" } } }, output: { node: a } }',
    )
    await writeFile(join(folder, 'sheet.yml'), sheet('#336699'))
    await writeFile(join(folder, 'other.json'), '{ "private": true }')
    const { code, stdout } = await run('test', folder, '--update')
    assert.equal(code, 1)
    assert.match(stdout, /error +wrong +nodes\.a\.type/)
    assert.match(stdout, /error +remote\/defaults +No fixture found for "https:\/\/example\.com\/x\.png"/)
    assert.match(stdout, /new +sheet\/defaults/)
    assert.doesNotMatch(stdout, /other/)
  })

  test('diff reports the difference of each example, and exits with 1 only above the given share', async () => {
    const folder = await emptyFolder()
    const [before, now] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')]
    await writeFile(before, sheet('#336699'))
    await writeFile(now, sheet('#3366a9'))
    const report = join(folder, 'report.html')
    const printed = await run('diff', before, now, '--report', report)
    assert.equal(printed.code, 0)
    assert.match(printed.stdout, /different +defaults .*100 % of pixels differ, by at most 16 of 255/)
    assert.match(await readFile(report, 'utf8'), />difference</)
    assert.equal((await run('diff', before, now, '--fail-above', '50')).code, 1)
    await writeFile(now, sheet('#336699').replace('jpeg', 'webp'))
    assert.match((await run('diff', before, now)).stdout, /encoded +defaults .*jpeg.* → .*webp/)
  })

  fullOnly('a file next to a saved version, and an invalid YAML file, are rejected with a message', async () => {
    const folder = await emptyFolder()
    const broken = join(folder, 'broken.yaml')
    await writeFile(broken, 'a: [')
    for (const args of [
      ['diff', broken, 'wf_00000000000000000000@1'],
      ['test', folder],
    ]) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, /^Error: /)
      assert.doesNotMatch(stderr, /\n {4}at /)
    }
  })
})
