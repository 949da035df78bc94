import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { isFault } from '../imaging/raster/test-faults.ts'
import { contextFor } from '../imaging/raster/test-images.ts'
import { modelFile } from './manifest/load-verified.ts'
import { type Manifest, manifestIssues } from './manifest/manifest.ts'
import { channelMask, slow } from './manifest/test-onnx.ts'
import { createModelProcess } from './model-process.ts'
import { runtimePackages } from './registry.ts'
import { folderOf } from './store.ts'
import { testWithModels as test } from './test-models.ts'

const root = await mkdtemp(join(tmpdir(), 'tintype-test-'))
const models = createModelProcess({ memoryBytesMax: () => 2_000_000_000, secondsMax: 1 })

after(async () => {
  await rm(root, { recursive: true })
})

async function jobOf(name: string, onnx: Buffer) {
  const folder = await mkdtemp(join(root, `${name}-`))
  await writeFile(join(folder, modelFile), onnx)
  const manifest: unknown = { name, task: 'mask', license: 'MIT', file: 'x', input: { size: 8 } }
  assert.deepEqual(manifestIssues(manifest), [])
  const sha256 = createHash('sha256').update(onnx).digest('hex')
  const runtimeFolder = folderOf(runtimePackages[0] as (typeof runtimePackages)[number]) ?? assert.fail('no runtime')
  const image = { data: new Uint8Array(8 * 8 * 3).fill(51), width: 8, height: 8 }
  return { model: name, folder, runtimeFolder, threads: 1, image, run: { manifest: manifest as Manifest, sha256 } }
}

test('a run that takes longer than the limit is stopped, and the next job runs in a new process', async () => {
  const [endless, quick] = [await jobOf('endless', slow(2_000, 400)), await jobOf('quick', channelMask(0))]
  const running = models.run(endless, contextFor())
  const waiting = models.run(quick, contextFor())
  await assert.rejects(running, isFault('limit_exceeded', /"endless" took longer than 1 s of CPU time, the maximum/))
  const reply = await waiting
  const { result } = 'outputs' in reply ? reply.outputs : assert.fail(reply.problem)
  assert.deepEqual([result?.dims, [...new Set(result?.data)]], [[8, 8], [51]])
})
