/** ONNX models of the operator: added, replaced and removed with the command while the service runs. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { channelMask } from '../../src/local-models/manifest/test-onnx.ts'
import { noModels } from '../../src/local-models/test-models.ts'
import { area } from '../harness/area.ts'
import { type Ran, tintype } from '../harness/cli.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { newAccount } from '../harness/shared.ts'
import type { Execution } from '../harness/types.ts'
import { fetchImage, run, save } from '../harness/workflows.ts'

area('ONNX models of the operator', { skip: noModels }, () => {
  let api: Client
  before(async () => {
    api = (await newAccount()).api
  })

  test('a model is used as soon as it is added, a replaced one returns no old result, and a removed one is named', async () => {
    const { service } = api
    const manifest = path.join(service.dataDir, 'api-mask.yaml')
    /** Runs a command on each machine, as in the guide. Returns the result of one. */
    const models = async (...args: string[]) => {
      const results = await Promise.all(
        service.machines.map((dataDir) => tintype({ ...service, dataDir }, 'models', ...args)),
      )
      return results[0] as Ran
    }
    const add = (channel: number, layout = 'NCHW') => {
      writeFileSync(path.join(service.dataDir, 'api-mask.onnx'), channelMask(channel))
      writeFileSync(
        manifest,
        `name: api-mask\ntask: mask\nlicense: MIT\nfile: ./api-mask.onnx\ninput: { size: 32, layout: ${layout} }\n`,
      )
      return models('add', '--manifest', manifest)
    }
    const issue = refused(await api.post('/workflows', mask()), 'invalid_request').issues?.[0]
    assert.match(
      issue?.message ?? '',
      /the local model "api-mask", which doesn't exist.*tintype models add --manifest FILE/,
    )

    const { code, stdout, stderr } = await add(0)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /hash +sha256:[0-9a-f]{64}/)
    assert.match(stderr, /Copying .*api-mask\.onnx\.\nRunning the model once\./)
    // The canvas is #204060.
    const { id } = await save(api, mask())
    const colors = async () => colorsOf(await fetchImage(api, (await run(api, id)).url))
    assert.deepEqual(await colors(), [0x20])
    assert.equal((await add(2)).code, 0)
    assert.deepEqual(await colors(), [0x60])

    const wrong = await add(1, 'NHWC')
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(
      wrong.stderr,
      /"api-mask" was refused.*has the shape 1x3xhxw, which doesn't match 1x32x32x3.*Check "layout"/,
    )
    assert.deepEqual(await colors(), [0x60])

    const { providers } = ok(await api.get<{ providers: { id: string; models: ListedModel[] }[] }>('/providers'))
    const listed = providers.find(({ id }) => id === 'local')?.models.find(({ model }) => model === 'local/api-mask')
    assert.deepEqual([listed?.local.operation, listed?.local.license], ['remove-background', 'MIT'])
    assert.ok(stdout.match(/sha256:\S+/)?.[0] !== listed?.local.hash && /^sha256:/.test(listed?.local.hash ?? ''))

    const removed = await models('remove', 'api-mask', '--json')
    assert.equal((JSON.parse(removed.stdout) as { installed: boolean }).installed, false, removed.stderr)
    const reply = await api.post<Execution>('/workflows/execute', { workflowId: id })
    const failed = refused(reply, 'invalid_request')
    assert.match(failed.issues?.[0]?.message ?? '', /the local model "api-mask", which doesn't exist/)
  })
})

interface ListedModel {
  model: string
  local: { operation: string; license: string; hash: string }
}

function mask(): Document {
  return {
    name: 'Mask',
    nodes: {
      sheet: { type: 'canvas', params: { width: 32, height: 32, color: '#204060' } },
      cut: { type: 'remove-background', inputs: { image: 'sheet' }, params: { model: 'api-mask', mode: 'mask' } },
    },
    output: { node: 'cut', format: 'png' },
  }
}

/** The different values of all pixels. */
async function colorsOf(image: Buffer): Promise<number[]> {
  return [...new Set(await sharp(image).removeAlpha().raw().toBuffer())]
}
