/** GET /providers, and workflows with AI models. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import {
  type AiExecution,
  type AiService,
  type AiTenant,
  callsOf,
  drawn,
  fakeKey,
  micros,
  startAiService,
} from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount } from '../harness/shared.ts'
import type { ErrorDetails } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, save, upload } from '../harness/workflows.ts'

interface ProviderBody {
  id: string
  configured: boolean
  missing: string[]
  problem: string | null
  capabilities: string[]
  models: { model: string; can: Record<string, { seed?: boolean; price: object | null }>; problem: string | null }[]
}
interface ProvidersBody {
  providers: ProviderBody[]
  defaults: Record<string, string[]>
}

const capabilities = ['generate', 'edit', 'inpaint', 'remove-background', 'upscale', 'describe', 'write', 'judge']

/** The fields of a call with the reason of its failure. */
type CallDetails = ErrorDetails & {
  provider?: string
  model?: string
  problem?: string
  billed?: string
  providerRequestId?: string
}

area('AI providers that are not configured', {}, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  test('are listed with the settings that enable them, and local models need none', async () => {
    const { providers, defaults } = ok(await api.get<ProvidersBody>('/providers'))
    const byId = new Map(providers.map((each) => [each.id, each]))
    for (const id of [
      'openai',
      'google',
      'xai',
      'azure',
      'bedrock',
      'openai-compatible',
      'fal',
      'replicate',
      'bfl',
      'stability',
      'removebg',
      'comfyui',
    ]) {
      const provider = byId.get(id)
      assert.equal(provider?.configured, false, id)
      assert.ok(provider.missing.length > 0 && provider.missing.every((name) => /^[A-Z][A-Z0-9_]+$/.test(name)), id)
    }
    assert.deepEqual(byId.get('openai')?.missing, ['OPENAI_API_KEY'])
    const local = byId.get('local')
    assert.deepEqual([local?.configured, local?.missing], [true, []])
    assert.ok(
      local?.models.some(({ model, problem }) => model === 'local/isnet' && /models add isnet/.test(problem ?? '')),
    )
    assert.deepEqual(Object.keys(defaults), capabilities)
    assert.deepEqual([defaults.generate, defaults['remove-background']], [[], ['local/isnet']])
  })

  test('do not prevent saving a workflow that needs one; it fails when it runs and names the missing variable', async () => {
    for (const params of [{ model: 'openai/gpt-image-1-mini' }, { model: undefined }]) {
      const { id } = await save(api, drawn(params))
      const reply = await api.post('/workflows/execute', { workflowId: id })
      const { reason, node } = refused(reply, 'workflow_failed')
      assert.deepEqual([reason, node], ['provider_not_configured', 'scene'])
      assert.match(reply.text, /OPENAI_API_KEY/)
      assert.equal(Object.hasOwn(reply.body as object, 'cost'), false)
    }
  })

  test('with an invalid query are invalid_request', async () => {
    assert.deepEqual(issuePaths(await api.get('/providers', { provider: 'openai' })), ['provider'])
  })
})

area('workflows with AI models', {}, () => {
  let ai: AiService
  let tenant: AiTenant
  let api: Client
  before(async () => {
    ai = await startAiService()
    tenant = await ai.tenant()
    api = tenant.api
  })
  beforeEach(() => {
    ai.openai.reset()
    ai.fal.reset()
  })

  const execute = (id: string, parameters = {}, as = api) =>
    as.post<AiExecution>('/workflows/execute', { workflowId: id, parameters })
  const failed = async (document: Document, parameters = {}) => {
    const { id } = await save(api, document)
    return refused(await execute(id, parameters), 'workflow_failed') as CallDetails
  }

  test('configured providers are listed as such, without key and address', async () => {
    const reply = await api.get<ProvidersBody>('/providers')
    const { providers, defaults } = ok(reply)
    for (const id of ['openai', 'fal']) {
      const provider = providers.find((each) => each.id === id)
      assert.deepEqual([provider?.configured, provider?.missing, provider?.problem], [true, [], null])
      assert.ok((provider?.models.length ?? 0) > 3)
    }
    assert.match(defaults.generate?.[0] ?? '', /^openai\//)
    for (const secret of [fakeKey, new URL(ai.openai.url).host, new URL(ai.fal.url).host]) {
      assert.equal(reply.text.includes(secret), false)
    }
  })

  test('a model draws: the image is served, and its cost is the same everywhere', async () => {
    const { id } = await save(api, drawn())
    const done = ok(await execute(id))
    const rendered = await sharp(await fetchImage(api, done.output?.url ?? '')).metadata()
    assert.equal(rendered.width, 64)
    assert.equal(ai.openai.billed().length, 1)
    const usd = done.cost?.usd ?? 0
    assert.ok(usd > 0 && usd < 0.1, String(usd))
    const calls = await callsOf(api, done.executionId)
    assert.deepEqual(Object.keys(calls), ['scene'])
    const [call] = calls.scene ?? []
    assert.deepEqual([call?.model, call?.outcome, call?.costUsd], ['openai/gpt-image-1-mini', 'done', usd])
    assert.match(call?.requestId ?? '', /^req_fake_/)
    assert.deepEqual(((await api.ended(done.executionId)) as AiExecution).cost, { usd })
    const { executions } = ok(await api.get<{ executions: AiExecution[] }>('/workflows/executions', { workflowId: id }))
    assert.deepEqual(
      executions.map(({ cost }) => cost),
      [{ usd }],
    )
  })

  test('an execution without model calls has no cost', async () => {
    const { id } = await save(api, {
      ...drawn(),
      nodes: { small: { type: 'canvas', params: { width: 8, height: 8 } } },
      parameters: [],
    })
    const done = ok(await execute(id))
    assert.equal(Object.hasOwn(done, 'cost'), false)
    assert.deepEqual(await callsOf(api, done.executionId), {})
  })

  test('texts from models are values for templates', async () => {
    const { id: image } = await upload(api, await plain('png'))
    const { id } = await save(api, {
      name: 'Captioned',
      nodes: {
        photo: { type: 'image', params: { source: image } },
        seen: { type: 'describe', inputs: { image: 'photo' }, params: { model: 'openai/gpt-4.1-mini' } },
        caption: {
          type: 'write',
          params: { model: 'openai/gpt-4.1-mini', prompt: 'A caption for: {{ nodes.seen.text }}' },
        },
        card: { type: 'canvas', params: { width: 200, height: 100, color: '#ffffff' } },
        words: { type: 'text', params: { text: '{{ nodes.caption.text }}', size: 12 } },
        whole: { type: 'stack', inputs: { images: ['card', 'words'] }, params: {} },
      },
      output: { node: 'whole', format: 'png' },
    })
    const done = ok(await execute(id))
    const calls = await callsOf(api, done.executionId)
    assert.deepEqual(Object.keys(calls).sort(), ['caption', 'seen'])
    const sum = [...(calls.seen ?? []), ...(calls.caption ?? [])].reduce((all, { costUsd }) => all + micros(costUsd), 0)
    assert.equal(micros(done.cost?.usd), sum)
  })

  test('an unknown model or unsupported setting is rejected with its path when the workflow is saved', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ seed: 7 }, 'nodes.scene.params.seed'],
      [{ model: 'openai/gpt-image-2', transparent: true }, 'nodes.scene.params.transparent'],
      [{ width: 333, height: 100 }, 'nodes.scene.params.width'],
      [{ model: 'openai/gpt-9' }, 'nodes.scene.params.model'],
      [{ model: 'nobody/x' }, 'nodes.scene.params.model'],
      [{ model: 'openai/gpt-4.1-mini' }, 'nodes.scene.params.model'],
      [{ fallback: ['fal/fal-ai/esrgan'] }, 'nodes.scene.params.fallback.0'],
    ]
    for (const [params, path] of cases) {
      assert.deepEqual(issuePaths(await api.post('/workflows', drawn(params))), [path], JSON.stringify(params))
    }
    assert.equal(ai.openai.log.length, 0)
  })

  test('if the first model is unavailable, the fallback is called, and the execution has both calls', async () => {
    ai.openai.script({ do: 'quota', times: 10 })
    const { id } = await save(api, drawn({ fallback: ['fal/fal-ai/flux/schnell'] }))
    const done = ok(await execute(id))
    const { scene = [] } = await callsOf(api, done.executionId)
    assert.deepEqual(
      scene.map(({ model, outcome }) => [model, outcome]),
      [
        ['openai/gpt-image-1-mini', 'quota'],
        ['fal/fal-ai/flux/schnell', 'done'],
      ],
    )
    assert.equal(scene[0]?.costUsd, 0)
    assert.deepEqual([ai.openai.billed().length, ai.fal.billed().length], [0, 1])
  })

  test('a request that the provider declines fails as such, and is sent to no other model', async () => {
    const details = await failed(drawn({ fallback: ['fal/fal-ai/flux/schnell'] }), { prompt: 'A door #moderated' })
    assert.deepEqual(
      [details.reason, details.provider, details.model, details.problem, details.node],
      ['provider_refused', 'openai', 'openai/gpt-image-1-mini', 'refused', 'scene'],
    )
    assert.deepEqual([ai.openai.log.length, ai.fal.log.length], [1, 0])
  })

  test('a response that is not an image fails the execution, says that it was billed, and contains no key', async () => {
    ai.openai.script({ do: 'no-image' })
    const { id } = await save(api, drawn())
    const reply = await execute(id)
    const details = refused(reply, 'workflow_failed') as CallDetails
    assert.deepEqual([details.reason, details.problem, details.billed], ['provider_unavailable', 'bad_output', 'yes'])
    assert.equal(reply.text.includes(fakeKey), false)
    assert.match(details.providerRequestId ?? '', /^req_fake_/)
    const { cost } = (await api.ended(details.executionId ?? '')) as AiExecution
    assert.ok((cost?.usd ?? 0) > 0)
  })

  test('a rejected key is reported without the message of the provider, which contains it', async () => {
    ai.openai.script({
      do: 'status',
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${fakeKey}.`, code: 'invalid_api_key' } },
    })
    const { id } = await save(api, drawn())
    const reply = await execute(id)
    const details = refused(reply, 'workflow_failed') as CallDetails
    assert.deepEqual([details.reason, details.problem, details.billed], ['provider_unavailable', 'auth', 'no'])
    assert.equal(reply.text.includes(fakeKey.slice(0, 12)), false)
  })

  test('a repeated request with an Idempotency-Key is paid once', async () => {
    const { id } = await save(api, drawn())
    const execute = () =>
      api.post<AiExecution>('/workflows/execute', { workflowId: id }, { 'idempotency-key': `paid-once-${id}` })
    const replies = await Promise.all([execute(), execute()])
    const [first, again] = [...replies.filter(({ status }) => status === 200), await execute()]
    assert.equal(ok(again as typeof first & object).executionId, first && ok(first).executionId)
    assert.equal(ai.openai.billed().length, 1)
  })

  test('cancelling an execution cancels the job at the provider', async () => {
    ai.fal.script({ when: { method: 'POST' }, do: 'stuck' })
    const { id } = await save(api, drawn({ model: 'fal/fal-ai/flux/schnell' }))
    const { executionId } = ok(await api.post<AiExecution>('/workflows/execute', { workflowId: id, async: true }), 202)
    await until('the job at fal', async () => ai.fal.log.find(({ path }) => path.endsWith('/status')))
    ok(await api.post(`/workflows/executions/${executionId}/cancel`))
    await until('the cancellation at fal', async () =>
      ai.fal.log.find(({ method, path }) => method === 'PUT' && path.endsWith('/cancel')),
    )
    const { error } = await api.ended(executionId)
    assert.equal(error?.details.reason, 'cancelled')
  })

  test('a resumed execution pays only for missing results', async () => {
    const document: Document = {
      name: 'Two pictures',
      parameters: [{ name: 'second', type: 'string', default: 'A door #moderated' }],
      nodes: {
        first: { type: 'generate', params: { prompt: 'A wall', model: 'openai/gpt-image-1-mini' } },
        second: {
          type: 'generate',
          params: { prompt: '{{ second }} beside {{ nodes.first.width }}', model: 'openai/gpt-image-1-mini' },
        },
        both: { type: 'stack', inputs: { images: ['first', 'second'] }, params: {} },
      },
      output: { node: 'both', format: 'png' },
    }
    const { executionId } = await failed(document)
    assert.equal(ai.openai.billed().length, 1)
    const resumed = ok(
      await api.post<AiExecution>(`/workflows/executions/${executionId}/resume`, { parameters: { second: 'A door' } }),
    )
    assert.equal(ai.openai.billed().length, 2)
    const calls = await callsOf(api, resumed.executionId)
    assert.equal(micros(resumed.cost?.usd), micros(calls.second?.[0]?.costUsd))
  })

  test('a dry run estimates the cost without a call', async () => {
    interface Dry {
      valid: boolean
      cost: { minUsd: number; maxUsd: number } | null
      steps: { node: string; cost?: { minUsd: number; maxUsd: number } | null }[]
    }
    const dry = ok(await api.post<Dry>('/workflows/validate', drawn()))
    const scene = dry.steps.find(({ node }) => node === 'scene')
    assert.ok(dry.cost && dry.cost.minUsd >= 0 && dry.cost.maxUsd > dry.cost.minUsd && dry.cost.maxUsd < 1)
    assert.deepEqual(scene?.cost, dry.cost)
    assert.equal(
      dry.steps.some((step) => step.node === 'small' && step.cost !== undefined),
      false,
    )
    assert.equal(ai.openai.log.length, 0)
  })

  test('comparing before saving calls no provider, and says so', async () => {
    const { id } = await save(api, drawn())
    const reply = await api.call<{
      comparison: { examples: { result: string; after: { error?: { message: string } } }[] }
    }>('PUT', `/workflows/${id}`, { query: { compare: 'true' }, json: drawn({ prompt: 'A blue door' }) })
    const [example] = ok(reply).comparison.examples
    assert.equal(example?.result, 'failed')
    assert.match(example?.after.error?.message ?? '', /can't call AI models/)
    assert.equal(ai.openai.log.length, 0)
  })

  test('the command lists providers with their addresses and without keys', async () => {
    const listed = await tintype(ai.service, 'providers')
    assert.equal(listed.code, 0, listed.stderr)
    assert.match(listed.stdout, new RegExp(`openai +yes .*${ai.openai.url}`))
    assert.match(listed.stdout, /bfl +no .*set BFL_API_KEY/)
    const rows = await tintypeJson<{ id: string; configured: boolean; baseUrl: string | null }[]>(
      ai.service,
      'providers',
    )
    assert.equal(rows.find(({ id }) => id === 'fal')?.baseUrl, ai.fal.url)
    assert.equal(`${listed.stdout}${JSON.stringify(rows)}`.includes(fakeKey), false)
  })

  // Last, after the other tests.
  after(async () => {
    await ai.close()
    assert.deepEqual(
      ai.service.lines.filter((line) => line.includes(fakeKey.slice(0, 12))),
      [],
    )
  })
})
