/** POST /verify?reexecute=true: the steps of an output run again, and their pixels are compared. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openTestCredentials } from '../../src/credentials/testing.ts'
import { type Credentials, executionLabel, type Manifest } from '../../src/domain/credentials/credentials.ts'
import { digitalSourceType } from '../../src/domain/images/origin.ts'
import { type AiService, type AiTenant, startAiService } from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type Client, createClient, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import type { Document } from '../harness/documents.ts'
import { file } from '../harness/multipart.ts'
import { noise, plain } from '../harness/pictures.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Verified } from '../harness/types.ts'
import { fetchImage, save, upload } from '../harness/workflows.ts'

const never = new AbortController().signal

/** A photo with a frame, and a text. */
const card: Document = {
  name: 'Card',
  parameters: [
    { name: 'photo', type: 'string', required: true },
    { name: 'title', type: 'string', default: 'Hello' },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 120, height: 80 } },
    soft: { type: 'blur', inputs: { image: 'small' }, params: { sigma: 1.5 } },
    framed: { type: 'extend', inputs: { image: 'soft' }, params: { top: 9, bottom: 9, color: '#102030' } },
    titled: { type: 'text', inputs: { image: 'framed' }, params: { text: '{{ title }}', size: 20 } },
  },
  output: { node: 'titled', format: 'jpeg', credentials: 'always' },
}

/** Steps before and after a model. */
const scene: Document = {
  name: 'Scene',
  parameters: [{ name: 'photo', type: 'string', required: true }],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    cut: { type: 'crop', inputs: { image: 'photo' }, params: { width: 32, height: 32 } },
    wide: { type: 'extend', inputs: { image: 'cut' }, params: { left: 16, right: 16, top: 16, bottom: 16 } },
    scene: { type: 'generate', params: { prompt: 'A table', model: 'fal/fal-ai/flux/dev', width: 256, height: 256 } },
    both: { type: 'composite', inputs: { image: 'scene', overlay: 'wide' } },
    small: { type: 'resize', inputs: { image: 'both' }, params: { width: 100 } },
  },
  output: { node: 'small', format: 'png' },
}

area('verification by re-execution', {}, () => {
  let ai: AiService
  let tenant: AiTenant
  let api: Client
  let outside: SourceHost
  let other: Credentials
  let photo: string
  before(async () => {
    outside = await startSourceHost()
    ai = await startAiService({ FETCH_ALLOW: 'localhost' })
    tenant = await ai.tenant()
    api = tenant.api
    other = openTestCredentials()
    photo = (await upload(api, await noise('png', 200, 150), 'photo.png')).id
  })
  after(async () => {
    await Promise.all([other.close(), ai.close(), outside.close()])
  })

  const outputOf = async (document: Document, parameters: object) => {
    const { id } = await save(api, document)
    const { output } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id, parameters }))
    return fetchImage(api, output?.url ?? '')
  }
  const verify = async (bytes: Buffer, client = api): Promise<Verified> =>
    ok(await client.call<Verified>('POST', '/verify?reexecute=true', { parts: [file(bytes, 'image')] }))
  const again = async (bytes: Buffer, client = api) => {
    const { reexecution } = await verify(bytes, client)
    return reexecution ?? assert.fail('the file has no facts of an execution')
  }
  const resultsOf = ({ steps }: { steps: { node: string; result: string }[] }) =>
    Object.fromEntries(steps.map(({ node, result }) => [node, result]))

  test('an output has the same pixels again, and each step that changes pixels is compared', async () => {
    const { result, message, steps, output, firstDifference, ...about } = await again(await outputOf(card, { photo }))
    assert.deepEqual([result, message], ['equal', 'The execution gave the same pixels again.'])
    assert.deepEqual(output, { sameSize: true, differing: 0, maxDifference: 0 })
    assert.equal(firstDifference, undefined)
    assert.match(about.executionId ?? '', /^exec_/)
    assert.equal(about.workflowVersion, 1)
    const results = resultsOf({ steps })
    assert.deepEqual(Object.keys(results), ['photo', 'small', 'soft', 'framed', 'titled'])
    assert.equal(results.titled, 'equal')
    assert.ok(Object.values(results).every((each) => each === 'equal' || each === 'unknown'))
  })

  fullOnly('an output with a size limit is encoded with the same limit', async () => {
    const limited = { ...card, output: { ...card.output, maxBytes: 14_000 } }
    const bytes = await outputOf(limited, { photo })
    assert.ok(bytes.length <= 14_000)
    assert.equal((await again(bytes)).result, 'equal')
  })

  fullOnly('an output with brand values is made with the values of its execution', async () => {
    const setColor = async (value: string) => ok(await api.put('/brand', { values: { ink: { type: 'color', value } } }))
    await setColor('#102030')
    const { framed, ...nodes } = card.nodes
    const branded = {
      ...card,
      nodes: { ...nodes, framed: { ...framed, params: { top: 9, bottom: 9, color: '{{ brand.ink }}' } } },
    } as Document
    const bytes = await outputOf(branded, { photo })
    await setColor('#ffffff')
    const { result, output } = await again(bytes)
    assert.deepEqual([result, output], ['equal', { sameSize: true, differing: 0, maxDifference: 0 }])
    // An execution of now has the new value.
    assert.notDeepEqual(await outputOf(branded, { photo }), bytes)
    ok(await api.put('/brand', { values: {} }))
    assert.equal((await again(bytes)).result, 'equal')
  })

  fullOnly('without the query parameter nothing is executed, and without facts the result is null', async () => {
    const bytes = await outputOf(card, { photo })
    const plainly = ok(await api.call<Verified>('POST', '/verify', { parts: [file(bytes, 'image')] }))
    assert.equal('reexecution' in plainly, false)
    assert.equal((await verify(await plain('png'))).reexecution, null)
    refused(await api.call('POST', '/verify?reexecute=yes', { parts: [file(bytes, 'image')] }), 'invalid_request')
  })

  fullOnly('it requires the permission to execute', async () => {
    const { key } = await runCommand<{ key: string }>(
      ai.service,
      ...['keys', 'create', '--account', tenant.accountId, '--permissions', 'storage:read'],
    )
    const reader = await createClient(ai.service, key)
    const bytes = await outputOf(card, { photo })
    refused(await reader.call('POST', '/verify?reexecute=true', { parts: [file(bytes, 'image')] }), 'forbidden')
  })

  test('a changed file, and an execution of another account, are impossible', async () => {
    const bytes = await outputOf(card, { photo })
    const changed = Buffer.from(bytes)
    changed.fill(7, changed.length - 60, changed.length - 50)
    const invalid = await again(changed)
    assert.equal(invalid.result, 'impossible')
    assert.match(invalid.message, /^The Content Credentials are invalid/)
    const { api: stranger } = await ai.tenant()
    const unknown = await again(bytes, stranger)
    assert.equal(unknown.result, 'impossible')
    assert.match(unknown.message, /^Execution "exec_\w+" was not found/)
    assert.deepEqual([unknown.steps, unknown.executionId], [[], undefined])
  })

  fullOnly('a deleted source is named', async () => {
    const { id } = await upload(api, await noise('png', 90, 90))
    const bytes = await outputOf(card, { photo: id })
    ok(await api.delete(`/storage/images/${id}`))
    const { result, message } = await again(bytes)
    assert.equal(result, 'impossible')
    assert.match(message, new RegExp(`^The execution can't be repeated: .*${id}`))
  })

  fullOnly('a source that changed since is the first difference', async () => {
    let rendered = await noise('png', 60, 60)
    const url = outside.serve('/changing', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(rendered),
    )
    const bytes = await outputOf(card, { photo: url })
    assert.equal((await again(bytes)).result, 'equal')
    rendered = await plain('png', 60, 60)
    const { result, message, firstDifference, output } = await again(bytes)
    assert.equal(result, 'different')
    assert.equal(firstDifference?.node, 'photo')
    assert.match(message, /^The first difference is at node "photo" \(image\)\. The source has other bytes/)
    assert.ok((output?.differing ?? 0) > 0.1)
  })

  fullOnly('the first step whose pixels differ from the recorded ones is named', async () => {
    const bytes = await outputOf(card, { photo })
    const report = await other.read({ format: 'jpeg', bytes }, { signal: never })
    const facts = report?.assertions[executionLabel] as { pixels: Record<string, string> }
    const pixels = { ...facts.pixels, framed: '0'.repeat(24), titled: '1'.repeat(24) }
    const manifest: Manifest = {
      title: 'Forged',
      actions: [{ action: 'c2pa.created', digitalSourceType: digitalSourceType('digitalCreation') }],
      ingredients: [],
      execution: { ...facts, pixels },
    }
    const forged = await other.sign({ format: 'jpeg', bytes: await noise('jpeg', 120, 98) }, manifest, {
      signal: never,
    })
    const { result, firstDifference, steps } = await again(forged.bytes)
    assert.equal(result, 'different')
    assert.deepEqual(firstDifference, {
      node: 'framed',
      operation: 'extend',
      message: 'Its pixels differ from the recorded ones.',
    })
    assert.deepEqual([resultsOf({ steps }).framed, resultsOf({ steps }).titled], ['different', 'different'])
    // Facts of another execution are not repeated.
    const mixed = await other.sign(
      { format: 'jpeg', bytes: await noise('jpeg', 90, 60) },
      { ...manifest, execution: { ...facts, parameters: 'another hash' } },
      { signal: never },
    )
    assert.match((await again(mixed.bytes)).message, /^The recorded parameters are not those of execution/)
  })

  fullOnly('steps that depend on a model are skipped, and the others are compared without a call', async () => {
    const bytes = await outputOf(scene, { photo })
    const calls = ai.fal.log.length
    const { result, message, steps } = await again(bytes)
    assert.equal(result, 'partial', message)
    assert.deepEqual(resultsOf({ steps }), {
      photo: 'equal',
      cut: 'equal',
      wide: 'equal',
      scene: 'skipped',
      both: 'skipped',
      small: 'skipped',
    })
    const [generated, dependent] = ['scene', 'both'].map((node) => steps.find((step) => step.node === node)?.message)
    assert.equal(generated, 'It calls an AI model.')
    assert.equal(dependent, 'It depends on node "scene", which calls an AI model.')
    assert.equal(ai.fal.log.length, calls)
  })

  fullOnly(
    'a source that only a model sees the values of is equal, and another file in its place is named',
    async () => {
      const described: Document = {
        name: 'Described',
        parameters: [{ name: 'photo', type: 'string', required: true }],
        nodes: {
          constructor: { type: 'image', params: { source: '{{ photo }}' } },
          colors: { type: 'palette', inputs: { image: 'constructor' } },
          scene: {
            type: 'generate',
            params: { prompt: 'A {{ nodes.colors.dominant }} table', model: 'fal/fal-ai/flux/dev' },
          },
        },
        output: { node: 'scene', format: 'png' },
      }
      let rendered = await noise('png', 60, 60)
      const url = outside.serve('/described', (_, response) =>
        response.writeHead(200, { 'content-type': 'image/png' }).end(rendered),
      )
      const bytes = await outputOf(described, { photo: url })
      const same = await again(bytes)
      assert.equal(same.result, 'partial', same.message)
      assert.equal(resultsOf(same).constructor, 'equal')
      rendered = await plain('png', 60, 60)
      const { result, firstDifference } = await again(bytes)
      assert.deepEqual([result, firstDifference?.node], ['different', 'constructor'])
    },
  )

  fullOnly('a file of an unknown signer can lower no limit, and its own pixels are compared', async () => {
    const report = await other.read({ format: 'jpeg', bytes: await outputOf(card, { photo }) }, { signal: never })
    const facts = report?.assertions[executionLabel] as object
    const manifest: Manifest = {
      title: 'Forged',
      actions: [{ action: 'c2pa.created', digitalSourceType: digitalSourceType('digitalCreation') }],
      ingredients: [],
      execution: { ...facts, encodedBytesMax: 1 },
    }
    const forged = await other.sign({ format: 'jpeg', bytes: await noise('jpeg', 120, 98) }, manifest, {
      signal: never,
    })
    assert.equal((await again(forged.bytes)).result, 'different')
    const small = await other.sign({ format: 'jpeg', bytes: await noise('jpeg', 20, 9) }, manifest, { signal: never })
    assert.equal((await again(small.bytes)).output?.sameSize, false)
  })

  fullOnly('a step whose condition is false is skipped', async () => {
    const nodes = { ...card.nodes, soft: { ...card.nodes.soft, type: 'blur', when: 'false' } }
    const { result, steps } = await again(await outputOf({ ...card, nodes }, { photo }))
    assert.equal(result, 'equal')
    const skipped = steps.find(({ node }) => node === 'soft')
    assert.deepEqual([skipped?.result, skipped?.message], ['skipped', 'Its condition is false.'])
  })

  fullOnly('an output that is only a model has nothing to repeat', async () => {
    const only = { ...scene, output: { node: 'scene', format: 'png' }, nodes: { scene: scene.nodes.scene } }
    const { result, message } = await again(await outputOf({ ...only, parameters: [] } as Document, {}))
    assert.deepEqual([result, message], ['impossible', 'No step can be repeated: all depend on an AI model.'])
  })

  fullOnly('an execution of a draft runs its document again', async () => {
    const { workflowId } = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: card }), 201)
    const { output } = ok(
      await api.post<Execution>(`/workflows/${workflowId}/draft/execute`, { parameters: { photo, title: 'Draft' } }),
    )
    const bytes = await fetchImage(api, output?.url ?? '')
    const { result, workflowVersion, steps } = await again(bytes)
    assert.deepEqual([result, workflowVersion], ['equal', undefined])
    assert.deepEqual(Object.keys(resultsOf({ steps })), ['photo', 'small', 'soft', 'framed', 'titled'])
  })

  fullOnly('tintype verify --reexecute does the same next to the service', async () => {
    const file = path.join(ai.service.dataDir, 'card.jpg')
    writeFileSync(file, await outputOf(card, { photo }))
    const same = await tintype(ai.service, 'verify', file, '--reexecute')
    assert.equal(same.code, 0, same.stderr)
    assert.match(same.stdout, /Executed again: The execution gave the same pixels again\./)
    assert.match(same.stdout, /Step +equal +titled \(text\)/)
    writeFileSync(file, await plain('jpeg'))
    const without = await tintype(ai.service, 'verify', file, '--reexecute')
    assert.equal(without.code, 1)
    assert.match(without.stdout, /no facts of an execution/)
  })
})
