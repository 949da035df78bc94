/** Models with a manifest: from the manifest file, through the installation, to the pixels of the operations. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach } from 'node:test'
import { Fault } from '../errors.ts'
import { isFault } from '../imaging/raster/test-faults.ts'
import { contextFor, paint, painted, pixelAt, testProcesses } from '../imaging/raster/test-images.ts'
import { runOn } from '../imaging/raster/test-run.ts'
import { limits } from '../limits.ts'
import { faces } from '../operations/analyse/faces.ts'
import { removeBackground } from '../operations/filter/remove-background.ts'
import { upscale } from '../operations/filter/upscale.ts'
import { createModelInstaller } from './install.ts'
import { channelMask, constantOutput, expanded, logitMask, nearest, notNumbers } from './manifest/test-onnx.ts'
import { setModelMemory } from './runner.ts'
import { testWithModels as test } from './test-models.ts'

const context = contextFor({ secondsLeft: () => 120 })
const root = await mkdtemp(join(tmpdir(), 'tintype-test-'))
const models = await mkdtemp(join(root, 'models-'))
const memoryBytesMax = 2_000_000_000
const steps: string[] = []
const downloads: Record<string, Buffer> = {}
const installer = createModelInstaller({
  folder: models,
  memoryBytesMax,
  async *download(url) {
    yield downloads[url] ?? assert.fail(url)
  },
  onStep: (step) => steps.push(step),
})

after(async () => {
  await rm(root, { recursive: true })
})
beforeEach(() => setModelMemory(memoryBytesMax))

let manifests = 0

/** Writes the model and its manifest, JSON being YAML, and returns the path of the manifest. */
async function written(onnx: Buffer, fields: object): Promise<string> {
  manifests += 1
  const path = join(root, `manifest-${manifests}.yaml`)
  await writeFile(path.replace('.yaml', '.onnx'), onnx)
  await writeFile(path, JSON.stringify({ license: 'MIT', file: `./manifest-${manifests}.onnx`, ...fields }))
  return path
}

async function add(onnx: Buffer, fields: object) {
  return installer.add({ manifest: await written(onnx, fields) })
}

const maskFields = { task: 'mask', input: { size: 16 } }
const picture = painted(16, 16, (x, y) => [x * 16, y * 16, 200])

test('a mask has exactly the values of the model, in the order of channels and with the normalization of the manifest', async () => {
  const row = await add(channelMask(0), { name: 'red', ...maskFields })
  const sha256 = createHash('sha256').update(channelMask(0)).digest('hex')
  assert.deepEqual(
    [row.name, row.operation, row.installed, row.licence, row.hash],
    ['red', 'remove-background', true, 'MIT', `sha256:${sha256}`],
  )
  await add(channelMask(0), { name: 'blue-first', ...maskFields, input: { size: 16, channels: 'BGR' } })
  // (value - 0.5) / 0.5 is -1 for black and 1 for white; negative values are 0.
  await add(channelMask(1), {
    name: 'normal',
    ...maskFields,
    input: { size: 16, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
  })
  await add(logitMask(), { name: 'logits', ...maskFields, output: { activation: 'sigmoid' } })
  await add(channelMask(0), { name: 'stretched', ...maskFields, output: { activation: 'minmax' } })
  const expected: Record<string, (x: number, y: number) => number> = {
    red: (x) => x * 16,
    'blue-first': () => 200,
    normal: (_, y) => Math.max(0, ((y * 16) / 255 - 0.5) / 0.5) * 255,
    logits: (x) => 255 / (1 + Math.exp(-((x * 16) / 255 - 0.5) * 8)),
    stretched: (x) => (x * 255) / 15,
  }
  for (const [model, formula] of Object.entries(expected)) {
    const mask = await runOn(removeBackground, { image: picture }, { model, mode: 'mask' }, context)
    assert.deepEqual([mask.width, mask.height, mask.channels], [16, 16, 3])
    for (const [x, y] of [
      [0, 0],
      [3, 7],
      [9, 14],
      [15, 15],
    ] as const) {
      const [grey = -1, ...rest] = pixelAt(mask, x, y)
      assert.ok(Math.abs(grey - formula(x, y)) <= 0.51, `${model} at ${x}, ${y}: ${grey}, not ${formula(x, y)}`)
      assert.deepEqual(rest, [grey, grey])
    }
  }
})

test('an input with padding keeps the aspect ratio, and the padding is not in the mask', async () => {
  await add(channelMask(0), { name: 'padded', ...maskFields, input: { size: 32, fit: 'contain', padding: '#ff0000' } })
  const wide = painted(32, 8, (x) => [x * 8, 0, 0])
  const mask = await runOn(removeBackground, { image: wide }, { model: 'local/padded', mode: 'mask' }, context)
  assert.deepEqual([mask.width, mask.height], [32, 8])
  for (let y = 0; y < 8; y += 1) for (let x = 0; x < 32; x += 1) assert.equal(pixelAt(mask, x, y)[0], x * 8)
})

test('an upscaler gets tiles with a margin, and its tiles fit together to the pixel', async () => {
  const tiles = { name: 'tiles', task: 'upscale', scale: 2, input: { size: 32 }, tile: { overlap: 4 } }
  await add(nearest(2), tiles)
  await add(nearest(2), { ...tiles, name: 'free', input: { multipleOf: 8 }, tile: { size: 40, overlap: 5 } })
  await add(nearest(4), { ...tiles, name: 'four', scale: 4 })
  const colour = (x: number, y: number) => [(x * 7) % 256, (y * 5) % 256, (x * y) % 256]
  const image = painted(75, 50, colour)
  for (const [model, scale] of [
    ['tiles', 2],
    ['free', 2],
    ['four', 4],
    ['tiles', 4],
  ] as const) {
    const large = await runOn(upscale, { image }, { model, scale }, context)
    const expected = paint(75 * scale, 50 * scale, (x, y) => colour(Math.floor(x / scale), Math.floor(y / scale)))
    assert.deepEqual([large.width, large.height], [expected.width, expected.height])
    assert.ok(Buffer.from(large.data).equals(expected.data), `${model} at ${scale}`)
  }
})

test('a detector returns boxes in pixels of the image, without duplicates, and with its labels', async () => {
  const rows = [8, 8, 24, 24, 0.9, 1, 9, 9, 25, 25, 0.8, 1, 32, 32, 64, 64, 0.7, 0, 0, 0, 8, 8, 0.05, 0]
  const output = { values: 'score-class' }
  await add(constantOutput([1, 4, 6], rows), {
    name: 'pets',
    task: 'detect',
    input: { size: 64 },
    output,
    labels: ['cat', 'dog'],
  })
  const image = painted(128, 64, () => [9, 9, 9])
  const run = async (params: object) => {
    const { count, faces: found } = await faces.run(
      { image },
      { draw: 'nothing', minScore: 0.5, ...params } as never,
      context,
    )
    return { count, found }
  }
  assert.deepEqual(await run({ model: 'pets' }), {
    count: 2,
    found: [
      { x: 16, y: 8, width: 32, height: 16, score: 0.9, label: 'dog' },
      { x: 64, y: 32, width: 64, height: 32, score: 0.7, label: 'cat' },
    ],
  })
  assert.equal((await run({ model: 'local/pets', minScore: 0.8 })).count, 1)
  const columns = [0.25, 0.5, 0.5, 0.5, 0.1, 2]
  await add(constantOutput([1, 6, 1], columns), {
    name: 'columns',
    task: 'detect',
    input: { size: 64, fit: 'contain' },
    output: { transposed: true, box: 'cxcywh', units: 'fraction', activation: 'sigmoid' },
    labels: ['a', 'b'],
  })
  // 128 x 64 becomes 64 x 32 with 16 pixels of padding above: 16 +- 16 and 32 +- 16 in the input.
  const [box] = (await run({ model: 'columns' })).found as { label: string }[]
  assert.deepEqual(box, { x: 0, y: 0, width: 64, height: 64, score: 0.881, label: 'b' })
})

test('an unknown name is an error that names the fix, when a workflow is checked and when it runs', async () => {
  const check = (model: string) => faces.check?.({ model }, {}) ?? assert.fail('faces has no check')
  const [issue] = check('pet')
  assert.match(issue?.message ?? '', /Did you mean "pets"/)
  assert.deepEqual([check('pets'), check('{{ model }}')], [[], []])
  await assert.rejects(
    runOn(upscale, { image: picture }, { model: 'nothing-of-this-name' }, context),
    isFault(
      'provider_not_configured',
      /"nothing-of-this-name" is not installed on this machine\. Models: .*The operator can add others with "tintype models add --manifest FILE"/,
    ),
  )
  await assert.rejects(
    runOn(faces, { image: picture }, { model: 'pet' }, context),
    isFault('provider_not_configured', /Did you mean "pets"/),
  )
})

test('the key for the cache changes when a model is replaced, and other models keep theirs', async () => {
  const keys = (model: string) => removeBackground.reads?.models?.({ model } as never, [])
  const [selfie, before] = [keys('selfie'), keys('red')]
  await add(channelMask(2), { name: 'red', ...maskFields })
  assert.notDeepEqual(keys('red'), before)
  assert.deepEqual(keys('selfie'), selfie)
  assert.match(String(selfie), /^selfie 0\.1\.1675465747 sha512-/)
  const mask = await runOn(removeBackground, { image: picture }, { model: 'red', mode: 'mask' }, context)
  assert.deepEqual(pixelAt(mask, 3, 3), [200, 200, 200])
})

test('a file that changed after its installation is not used', async () => {
  await add(channelMask(0), { name: 'changed', ...maskFields })
  testProcesses.stop()
  await writeFile(join(models, 'onnx', 'changed', 'model.onnx'), channelMask(1))
  await assert.rejects(
    runOn(removeBackground, { image: picture }, { model: 'changed' }, context),
    isFault('provider_not_configured', /has changed since it was installed: the SHA-256 is [0-9a-f]{64}, not/),
  )
  await rm(join(models, 'onnx', 'changed', 'model.onnx'))
  await assert.rejects(
    runOn(removeBackground, { image: picture }, { model: 'changed' }, context),
    isFault('provider_not_configured', /"changed" is not installed/),
  )
})

test('a model that does not match its manifest is refused, and the message says what to change', async () => {
  const refused: [Buffer, object, RegExp][] = [
    [channelMask(0), { input: { size: 16, name: 'x' } }, /it has no input "x"\. Its inputs: "image"/],
    [channelMask(0), { output: { name: 'matte' } }, /it has no output "matte"\. Its outputs: "mask"/],
    [
      channelMask(0),
      { input: { size: 16, layout: 'NHWC' } },
      /its input "image" has the shape 1x3xhxw, which doesn't match 1x16x16x3.*"layout"/,
    ],
    [channelMask(0), { output: { channel: 1 } }, /has 1 channels, so "channel" can't be 1/],
    [
      constantOutput([2, 3], [1, 2, 3, 4, 5, 6]),
      { task: 'upscale', scale: 2, input: {} },
      /has the shape 2x3; with "scale: 2".*must be 1x3x/,
    ],
    [nearest(4), { task: 'upscale', scale: 2, input: {} }, /with "scale: 2" and "layout: NCHW" it must be/],
    [
      constantOutput([1, 2, 7], Array(14).fill(1)),
      { task: 'detect', output: { values: 'score-class' } },
      /has the shape 1x2x7.*must have at least 6 values/,
    ],
    [constantOutput([4], [1, 2, 3, 4]), {}, /has the shape 4; a mask is 1xCxHxW/],
    [notNumbers(), {}, /values that are not numbers \(NaN\)/],
    [expanded([1, 1, 8_000, 8_000]), {}, /has 64000000 values \(1x1x8000x8000\); the maximum is/],
    [expanded([1, 1, 5_000, 2]), {}, new RegExp(`with sides of at most ${limits.onnxSidePixelsMax}`)],
    [expanded([1, 1, 0, 0]), {}, /has the shape 1x1x0x0/],
  ]
  const before = await readdir(join(models, 'onnx'))
  for (const [onnx, fields, expected] of refused) {
    await assert.rejects(add(onnx, { name: 'refused', ...maskFields, ...fields }), isFault('input_invalid', expected))
  }
  assert.deepEqual(await readdir(join(models, 'onnx')), before)
})

test('a model that needs too much memory is stopped, and others work on', async () => {
  await add(channelMask(0), { name: 'small', ...maskFields })
  setModelMemory(700_000_000)
  // 4 GB, as the sum of all values before the output is limited.
  await assert.rejects(
    add(expanded([1, 1, 32_000, 32_000]), { name: 'large', ...maskFields }),
    isFault('input_invalid', /needs more than 700 MB of memory\. The operator can raise LOCAL_MODELS_MEMORY_MAX_BYTES/),
  )
  const mask = await runOn(removeBackground, { image: picture }, { model: 'small', mode: 'mask' }, context)
  assert.deepEqual(pixelAt(mask, 3, 0), [48, 48, 48])
})

test('incomplete models, and models that need other files, are refused before the runtime reads them', async () => {
  const good = channelMask(0)
  const bad: [Buffer, RegExp][] = [
    [Buffer.alloc(0), /it has no graph/],
    [Buffer.from('<html>Not found</html>'), /not a valid ONNX model/],
    [good.subarray(0, good.length - 7), /not a valid ONNX model/],
    [Buffer.alloc(4_000, 0xff), /a number is too long/],
  ]
  for (const [onnx, expected] of bad) {
    await assert.rejects(add(onnx, { name: 'bad', ...maskFields }), isFault('input_invalid', expected))
  }
  assert.ok(!existsSync(join(models, 'onnx', 'bad')))
})

test('the hash of the manifest is required of the file, wherever it comes from', async () => {
  const onnx = channelMask(0)
  const sha256 = createHash('sha256').update(onnx).digest('hex')
  const url = 'https://models.example/mask.onnx'
  downloads[url] = onnx
  const other = { name: 'hashed', ...maskFields, file: url, sha256: '0'.repeat(64) }
  await assert.rejects(
    add(onnx, other),
    isFault('input_invalid', new RegExp(`its SHA-256 is ${sha256}, but the manifest of "hashed" expects 0000`)),
  )
  assert.ok(!existsSync(join(models, 'onnx', 'hashed')))
  const row = await add(onnx, { ...other, sha256: sha256.toUpperCase() })
  assert.deepEqual([row.file, row.hash], [url, `sha256:${sha256}`])
  assert.ok(steps.includes(`Downloading ${url}.`))
  // A downloaded file takes the place of the URL: of a recipe too, whose hash this file doesn't have.
  await writeFile(join(root, 'own.onnx'), onnx)
  await assert.rejects(
    installer.add({ name: 'birefnet', file: join(root, 'own.onnx') }),
    isFault('input_invalid', /manifest of "birefnet" expects 58f621f0/),
  )
})

test('only files, https URLs and file URLs are accepted as the place of a model', async () => {
  const refused: [string, RegExp][] = [
    ['http://models.example/a.onnx', /is invalid/],
    ['https://user:secret@models.example/a.onnx', /is invalid/],
    ['ftp://models.example/a.onnx', /is invalid/],
    ['./missing.onnx', /can't be read \(ENOENT\)/],
    ['/dev/zero', /is not a file/],
    ['.', /is not a file/],
  ]
  for (const [file, expected] of refused) {
    await assert.rejects(
      add(channelMask(0), { name: 'elsewhere', ...maskFields, file }),
      (error) => error instanceof Fault && expected.test(error.message),
      file,
    )
  }
})

test('hostile manifests are refused', async () => {
  const texts: [string, RegExp][] = [
    [': {', /is not valid YAML: line 1/],
    [
      'a: &a [1, 2]\nb: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
      /Excessive alias/i,
    ],
    ['!!js/function "x"', /is not valid YAML|is invalid/],
    ['name: selfie\ntask: mask\nlicense: MIT\nfile: x\ninput: {size: 8}\n', /can't be used/],
    [`#${' '.repeat(limits.onnxManifestBytesMax)}`, /has more than 65536 bytes/],
    ['', /is invalid/],
  ]
  for (const [text, expected] of texts) {
    const path = join(root, 'hostile.yaml')
    await writeFile(path, text)
    await assert.rejects(
      installer.add({ manifest: path }),
      (error) => error instanceof Fault && expected.test(error.message),
      text.slice(0, 60),
    )
  }
  await assert.rejects(installer.add({ manifest: join(root, 'none.yaml') }), isFault('input_not_found', /ENOENT/))
  await assert.rejects(installer.add({ manifest: root }), isFault('input_not_found', /EISDIR/))
})

test('a file above the limit is refused', async () => {
  const path = await written(channelMask(0), { name: 'long', ...maskFields })
  await truncate(path.replace('.yaml', '.onnx'), limits.onnxFileBytesMax + 1)
  await assert.rejects(installer.add({ manifest: path }), isFault('limit_exceeded', /has more than 1073741824 bytes/))
})

test('asks to accept a licence that is not permissive', async () => {
  const path = await written(channelMask(0), { name: 'terms', ...maskFields, license: 'AGPL-3.0' })
  assert.match(
    (await installer.question({ manifest: path })) ?? '',
    /"terms" comes from \.\/.*license AGPL-3\.0, which is not permissive/,
  )
  assert.equal(await installer.question({ name: 'birefnet' }), undefined)
})

test('lists installed models and recipes, and removes a model completely', async () => {
  const names = () =>
    installer
      .list()
      .filter(({ installed }) => installed)
      .map(({ name }) => name)
  await add(channelMask(0), { name: 'gone', ...maskFields })
  assert.ok(names().includes('gone'))
  assert.ok(installer.list().some(({ name, installed }) => name === 'birefnet' && !installed))
  const removed = await installer.remove('gone')
  assert.deepEqual([removed.name, removed.installed], ['gone', false])
  assert.ok(!names().includes('gone') && !installer.list().some(({ name }) => name === 'gone'))
  assert.ok(!(await readdir(join(models, 'onnx'))).some((name) => /gone|removing|adding/.test(name)))
  await assert.rejects(
    installer.remove('gone'),
    (error) => error instanceof Fault && /doesn't exist/.test(error.message),
  )
  await assert.rejects(installer.remove('birefnet'), isFault('input_not_found', /is not installed in this folder/))
  const kept = JSON.parse(await readFile(join(models, 'onnx', 'small', 'manifest.json'), 'utf8')) as {
    manifest: { name: string }
  }
  assert.equal(kept.manifest.name, 'small')
})
