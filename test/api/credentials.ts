/** Content Credentials of outputs: when they are signed, what the manifest says, and sources that have credentials. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { imageOf, openTestCredentials } from '../../src/credentials/testing.ts'
import {
  type CredentialFormat,
  type Credentials,
  credentialFormats,
  executionLabel,
  type Manifest,
} from '../../src/domain/credentials/credentials.ts'
import { digitalSourceType } from '../../src/domain/images/origin.ts'
import { chunk, chunksOf, pngSignature } from '../../src/imaging/raster/read/png-chunks.ts'
import { type AiExecution, type AiService, startAiService } from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { startSourceHost } from '../harness/source-host.ts'
import type { Image } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

type Signed = Image & { origin?: string; credentials?: string }
type SignedExecution = AiExecution & { output?: { url: string; imageId?: string; origin?: string } }

const model = 'fal/fal-ai/flux/dev'

/** A generated scene with a photo on it, in any format. */
const scene: Document = {
  name: 'Scene',
  parameters: [
    { name: 'photo', type: 'string', required: true },
    { name: 'format', type: 'string', default: 'png' },
    { name: 'credentials', type: 'string', default: 'auto' },
    { name: 'maxBytes', type: 'number', default: 1e9 },
  ],
  nodes: {
    scene: { type: 'generate', params: { prompt: 'A table', model, seed: 7, width: 256, height: 256 } },
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    both: { type: 'composite', inputs: { image: 'scene', overlay: 'photo' }, params: {} },
    small: { type: 'resize', inputs: { image: 'both' }, params: { width: 200 } },
  },
  output: { node: 'small', format: '{{ format }}', credentials: '{{ credentials }}' },
}

/** Only the photo. */
const copied = (credentials?: string): Document => ({
  name: 'Copy',
  parameters: [{ name: 'photo', type: 'string', required: true }],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 32 } },
  },
  output: { node: 'small', format: 'png', ...(credentials && { credentials }) },
})

const photographed: Manifest = {
  title: 'Photo',
  actions: [{ action: 'c2pa.created', digitalSourceType: digitalSourceType('digitalCapture') }],
  ingredients: [],
}

/** A PNG with a chunk that was added after it was signed. */
function changedPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)]
  const text = chunk('tEXt', Buffer.from('Comment\0changed'))
  const parts = chunks.map(({ start, end }) => png.subarray(start, end))
  return Buffer.concat([pngSignature, ...parts.slice(0, -1), text, ...parts.slice(-1)])
}

/** The PNG with one changed byte and correct checksums. */
function withChunksOf(png: Buffer, at: number): Buffer {
  const changed = Buffer.from(png)
  changed[at] = (changed[at] ?? 0) ^ 0xff
  return Buffer.concat([pngSignature, ...[...chunksOf(changed)].map(({ type, data }) => chunk(type, data))])
}

area('Content Credentials', {}, () => {
  let ai: AiService
  let api: Client
  let photo: Signed
  /** Another installation, for which the certificate of the service is unknown. */
  let other: Credentials
  const never = new AbortController().signal
  before(async () => {
    ai = await startAiService({ FETCH_ALLOW: 'localhost' })
    api = (await ai.tenant()).api
    other = openTestCredentials()
    photo = await upload(api, await imageOf('png'), 'photo.png')
  })
  after(async () => {
    await other.close()
    await ai.close()
  })

  const execute = async (document: Document, parameters: object) => {
    const { id } = await save(api, document)
    return ok(await api.post<SignedExecution>('/workflows/execute', { workflowId: id, parameters }))
  }
  const imageOfOutput = async ({ output }: SignedExecution) =>
    ok(await api.get<Signed>(`/storage/images/${output?.imageId}`))
  const bytesOf = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer())
  const reportOf = async ({ output }: SignedExecution, format: CredentialFormat = 'png') =>
    other.read({ bytes: await bytesOf(output?.url), format }, { signal: never })
  const warningsOf = async ({ executionId }: SignedExecution) => {
    const path = `/workflows/executions/${executionId}/steps`
    const { steps } = ok(await api.get<{ steps: { node: string; warnings?: string[] }[] }>(path))
    return Object.fromEntries(steps.flatMap(({ node, warnings }) => (warnings ? [[node, warnings]] : [])))
  }
  const signedPhoto = async (manifest = photographed) =>
    (await other.sign({ bytes: await imageOf('png'), format: 'png' }, manifest, { signal: never })).bytes

  for (const format of credentialFormats)
    fullOnly(
      `an output with generated pixels is signed in ${format}, and the manifest says how it was made`,
      async () => {
        const execution = await execute(scene, { photo: photo.id, format })
        const image = await imageOfOutput(execution)
        assert.deepEqual([image.origin, image.credentials], ['composite', 'trusted'])
        const bytes = await bytesOf(image.url)
        assert.equal(bytes.length, image.size)
        const report = await reportOf(execution, format)
        // The other installation doesn't know the certificate.
        assert.deepEqual(
          [report?.state, report?.problems.map(({ code }) => code)],
          ['valid', ['signingCredential.untrusted']],
        )
        assert.match(report?.claimGenerator ?? '', /^Tintype /)
        assert.deepEqual(
          report?.actions.map(({ action, softwareAgent }) => [action, softwareAgent]),
          [
            ['c2pa.created', model],
            ['c2pa.placed', undefined],
            ['c2pa.edited', undefined],
            ['c2pa.resized', undefined],
          ],
        )
        assert.equal(report?.actions[0]?.digitalSourceType, digitalSourceType('trainedAlgorithmicMedia'))
        assert.deepEqual(
          report?.ingredients.map(({ title, relationship, credentials }) => [title, relationship, credentials]),
          [['photo.png', 'componentOf', null]],
        )
        const facts = report?.assertions[executionLabel] as Record<string, unknown>
        assert.equal(facts.execution, execution.executionId)
        assert.deepEqual(Object.keys(facts.operations as object).sort(), ['composite', 'generate', 'image', 'resize'])
        assert.deepEqual(facts.seeds, { scene: 7 })
        assert.match(String(facts.document), /^[0-9a-f]{64}$/)
        assert.match(String(facts.parameters), /^[0-9a-f]{64}$/)
        assert.equal((facts.inputs as unknown[]).length, 1)
      },
    )

  test('an output is signed once, and the cache returns the signed file', async () => {
    const { id } = await save(api, scene)
    const run = async () => {
      const parameters = { photo: photo.id, format: 'webp' }
      const execution = ok(await api.post<SignedExecution>('/workflows/execute', { workflowId: id, parameters }))
      return { image: await imageOfOutput(execution), bytes: await bytesOf(execution.output?.url) }
    }
    const [first, second] = [await run(), await run()]
    assert.ok(first.bytes.equals(second.bytes))
    assert.equal(second.image.credentials, 'trusted')
    // The ETag is of the signed bytes.
    const etags = await Promise.all(
      [first, second].map(async ({ image }) => (await fetch(image.url)).headers.get('etag')),
    )
    assert.equal(etags[0], etags[1])
  })

  fullOnly(
    '"never" keeps the mark, "always" signs any output, and by default an output of no model is not signed',
    async () => {
      const unsigned = await execute(scene, { photo: photo.id, credentials: 'never' })
      const image = await imageOfOutput(unsigned)
      assert.deepEqual([image.origin, image.credentials, await reportOf(unsigned)], ['composite', undefined, undefined])
      const { xmp } = await sharp(await bytesOf(image.url)).metadata()
      assert.match(String(xmp), /compositeWithTrainedAlgorithmicMedia/)
      const always = await execute(copied('always'), { photo: photo.id })
      const report = await reportOf(always)
      assert.deepEqual(
        report?.actions.map(({ action }) => action),
        ['c2pa.opened', 'c2pa.resized'],
      )
      assert.deepEqual(
        report?.ingredients.map(({ relationship }) => relationship),
        ['parentOf'],
      )
      const plain = await execute(copied(), { photo: photo.id })
      assert.deepEqual([(await imageOfOutput(plain)).credentials, await reportOf(plain)], [undefined, undefined])
    },
  )

  test('a source keeps its credentials as an ingredient, and its output is signed', async () => {
    const source: Signed = await upload(api, await signedPhoto(), 'camera.png')
    assert.deepEqual([source.origin, source.credentials], [undefined, 'valid'])
    const execution = await execute(copied(), { photo: source.id })
    const report = await reportOf(execution)
    assert.equal(report?.state, 'valid')
    const [ingredient] = report?.ingredients ?? []
    assert.deepEqual([ingredient?.title, ingredient?.relationship], ['camera.png', 'parentOf'])
    assert.equal(ingredient?.credentials?.title, 'Photo')
    assert.deepEqual(await warningsOf(execution), {})
  })

  fullOnly('a source that was changed after it was signed is reported in its step and in the manifest', async () => {
    const source: Signed = await upload(api, changedPng(await signedPhoto()), 'changed.png')
    assert.equal(source.credentials, 'invalid')
    const execution = await execute(copied(), { photo: source.id })
    assert.match((await warningsOf(execution)).photo?.[0] ?? '', /changed after it was signed.*\/v1\/verify/)
    const report = await reportOf(execution)
    assert.equal(report?.state, 'valid')
    const { credentials } = report?.ingredients[0] ?? assert.fail()
    assert.equal(credentials?.state, 'invalid')
    assert.ok(credentials?.problems.some(({ code }) => code.endsWith('Hash.mismatch')))
  })

  fullOnly('a source with a damaged manifest does not stop an execution', async () => {
    const signed = await signedPhoto()
    const start = signed.indexOf('c2pa')
    let warned = 0
    for (let at = start; at < start + 1_600; at += 160) {
      const bytes = withChunksOf(signed, at)
      const source: Signed = await upload(api, bytes, 'damaged.png')
      const execution = await execute(copied(), { photo: source.id })
      if (source.credentials === undefined) continue
      assert.equal((await reportOf(execution))?.state, 'valid', `byte ${at}`)
      if (Object.keys(await warningsOf(execution)).length > 0) warned += 1
    }
    assert.ok(warned > 0)
  })

  fullOnly(
    'a downloaded source keeps its credentials, whatever its format, and its URL is not in the manifest',
    async () => {
      const host = await startSourceHost()
      try {
        for (const format of ['png', 'webp'] as const) {
          const { bytes } = await other.sign({ bytes: await imageOf(format), format }, photographed, { signal: never })
          host.serve(`/signed.${format}`, (_, response) => void response.writeHead(200).end(bytes))
          const execution = await execute(copied(), { photo: host.url(`/signed.${format}?secret=1`) })
          const report = await reportOf(execution)
          assert.equal(report?.ingredients[0]?.credentials?.title, 'Photo', format)
          assert.ok(!JSON.stringify(report).includes('secret'))
        }
      } finally {
        await host.close()
      }
    },
  )

  fullOnly(
    'a file that only its credentials mark as generated has the origin, and so has an output from it',
    async () => {
      const generated: Manifest = {
        title: 'Made elsewhere',
        actions: [{ action: 'c2pa.created', digitalSourceType: digitalSourceType('trainedAlgorithmicMedia') }],
        ingredients: [],
      }
      const source: Signed = await upload(api, await signedPhoto(generated))
      assert.deepEqual([source.origin, source.credentials], ['generated', 'valid'])
      const execution = await execute(copied('never'), { photo: source.id })
      assert.equal(execution.output?.origin, 'generated')
    },
  )

  fullOnly('a limit on the size of the file includes the credentials', async () => {
    const limited: Document = { ...scene, output: { ...scene.output, maxBytes: '{{ maxBytes }}' } }
    for (const format of ['jpeg', 'webp', 'avif']) {
      const { output } = await execute(limited, { photo: photo.id, format, maxBytes: 9_000 })
      const bytes = await bytesOf(output?.url)
      assert.ok(bytes.length <= 9_000, `${format}: ${bytes.length}`)
      assert.ok(bytes.includes('c2pa'))
    }
    const { id } = await save(api, limited)
    const parameters = { photo: photo.id, format: 'jpeg', maxBytes: 1_800 }
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters })
    refused(reply, 'workflow_failed')
    assert.match(JSON.stringify(reply.body), /output.maxBytes/)
  })
})
