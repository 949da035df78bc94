/** `origin`: which pixels a generative model made, through executions, the cache, a resumed execution and uploads. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { type AiExecution, type AiService, startAiService } from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import type { Image } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

type Marked = Image & { origin?: string }
type MarkedExecution = AiExecution & { output?: { url: string; imageId?: string; origin?: string } }

/** A generated scene with a photo on it. Fails with `left` 1000. */
const document: Document = {
  name: 'Scene',
  parameters: [
    { name: 'photo', type: 'string', required: true },
    { name: 'left', type: 'number', default: 0 },
    { name: 'format', type: 'string', default: 'png' },
    { name: 'seed', type: 'number', default: 1 },
  ],
  nodes: {
    scene: { type: 'generate', params: { prompt: 'A table', model: 'fal/fal-ai/flux/dev', seed: '{{ seed }}' } },
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    both: { type: 'composite', inputs: { image: 'scene', overlay: 'photo' }, params: {} },
    cut: { type: 'crop', inputs: { image: 'both' }, params: { x: '{{ left }}', y: 0, width: 16, height: 16 } },
  },
  output: { node: 'cut', format: '{{ format }}' },
}

/** Only the photo. */
const copied: Document = {
  name: 'Copy',
  parameters: [{ name: 'photo', type: 'string', required: true }],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 12 } },
  },
  output: { node: 'small', format: 'webp' },
}

area('origins of images', {}, () => {
  let ai: AiService
  let api: Client
  let photo: Marked
  before(async () => {
    ai = await startAiService()
    api = (await ai.tenant()).api
    photo = await upload(api, await plain('png', 30, 30))
  })
  after(() => ai.close())

  const execute = async (workflowId: string, parameters: object) =>
    ok(await api.post<MarkedExecution>('/workflows/execute', { workflowId, parameters }))
  const imageOf = async ({ output }: MarkedExecution) => ok(await api.get<Marked>(`/storage/images/${output?.imageId}`))
  const bytesOf = async ({ url }: { url: string }) => Buffer.from(await (await fetch(url)).arrayBuffer())
  const originsOf = async ({ executionId }: MarkedExecution) => {
    const path = `/workflows/executions/${executionId}/steps`
    const { steps } = ok(await api.get<{ steps: { node: string; origin?: string }[] }>(path))
    return Object.fromEntries(steps.map(({ node, origin }) => [node, origin ?? null]))
  }
  const steps = { scene: 'generated', photo: null, both: 'composite', cut: 'composite' }

  test('an execution, its steps and its image have it, also from the cache', async () => {
    const { id } = await save(api, document)
    for (const run of ['first', 'from the cache']) {
      const execution = await execute(id, { photo: photo.id })
      assert.equal(execution.output?.origin, 'composite', run)
      assert.equal((await imageOf(execution)).origin, 'composite', run)
      if (run === 'first') assert.deepEqual(await originsOf(execution), steps)
      const read = ok(await api.get<MarkedExecution>(`/workflows/executions/${execution.executionId}`))
      assert.equal(read.output?.origin, 'composite')
    }
    // Another output of cached steps.
    const execution = await execute(id, { photo: photo.id, format: 'jpeg' })
    assert.equal(execution.output?.origin, 'composite')
    const { xmp } = await sharp(await bytesOf(execution.output ?? assert.fail())).metadata()
    assert.match(String(xmp), /compositeWithTrainedAlgorithmicMedia/)
  })

  fullOnly('a resumed execution has it', async () => {
    const { id } = await save(api, document)
    const parameters = { photo: photo.id, left: 10_000, seed: 2 }
    const { executionId = '' } = refused(
      await api.post('/workflows/execute', { workflowId: id, parameters }),
      'workflow_failed',
    )
    const resumed = ok(
      await api.post<MarkedExecution>(`/workflows/executions/${executionId}/resume`, { parameters: { left: 0 } }),
    )
    assert.equal(resumed.output?.origin, 'composite')
    // The steps before were not needed again.
    const { both, cut } = await originsOf(resumed)
    assert.deepEqual([both, cut], ['composite', 'composite'])
  })

  fullOnly(
    'an output has it as a source by id and by URL, and after it is uploaded again, in every format',
    async () => {
      const [scene, copy] = [await save(api, document), await save(api, copied)]
      for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']) {
        const { output } = await execute(scene.id, { photo: photo.id, format })
        assert.ok(output?.imageId)
        const again: Marked = await upload(api, await bytesOf(output))
        assert.equal(again.origin, 'composite', format)
        for (const source of [output.imageId, output.url, again.id]) {
          const copies = await execute(copy.id, { photo: source })
          assert.equal(copies.output?.origin, 'composite', `${format} from ${source}`)
          const { xmp } = await sharp(await bytesOf(copies.output ?? assert.fail())).metadata()
          assert.match(String(xmp), /compositeWithTrainedAlgorithmicMedia/)
        }
      }
    },
  )

  fullOnly('an image of no model has none', async () => {
    const { id } = await save(api, copied)
    const execution = await execute(id, { photo: photo.id })
    assert.ok(execution.output && !('origin' in execution.output))
    assert.ok(!('origin' in (await imageOf(execution))))
    assert.equal((await sharp(await bytesOf(execution.output)).metadata()).xmp, undefined)
  })
})
