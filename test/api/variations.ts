/** `variations` of draft executions: random results are paid for once, until another one is requested. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AiExecution, drawn, useAiService } from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { issuePaths, ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'

interface Step {
  node: string
  operation: string
  status: string
  servedFrom?: string | null
  fingerprint?: string
}
interface Plan {
  valid: boolean
  issues: { path: string }[]
  warnings: { path: string }[]
  steps: Step[]
  cost: { minUsd: number; maxUsd: number } | null
}
type VariedExecution = AiExecution & { variations?: Record<string, string> }

/** Two images of a model in a grid. */
function sheet(gap = 0): Document {
  return {
    name: 'Sheet',
    parameters: [{ name: 'thing', type: 'string', default: 'door' }],
    nodes: {
      scene: {
        type: 'generate',
        each: ['red', 'blue'],
        params: { prompt: 'A {{ item }} {{ thing }}', model: 'openai/gpt-image-1-mini' },
      },
      small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 32 } },
      grid: { type: 'grid', inputs: { images: 'small' }, params: { gap } },
    },
    output: { node: 'grid', format: 'png' },
  }
}

area('variations', {}, () => {
  const setup = useAiService()

  const bills = () => setup.ai.openai.billed().length
  const draftOf = async (document: object) =>
    ok(await setup.api.post<{ workflowId: string }>('/workflows/drafts', { document }), 201).workflowId
  const change = async (workflowId: string, document: object) =>
    ok(await setup.api.put(`/workflows/${workflowId}/draft`, { document }))
  const execute = async (workflowId: string, more: object = { variations: {} }) =>
    ok(await setup.api.post<AiExecution>(`/workflows/${workflowId}/draft/execute`, { previews: true, ...more }))
  const fail = async (workflowId: string, more: object = { variations: {} }) =>
    assert.equal((await setup.api.post(`/workflows/${workflowId}/draft/execute`, more)).status, 500)
  const forecast = async (workflowId: string, document: object, more: object = { variations: {} }) =>
    ok(await setup.api.post<Plan>('/workflows/validate', { document, workflowId, ...more }))
  const stepsOf = async (executionId: string) =>
    ok(await setup.api.get<{ steps: Step[] }>(`/workflows/executions/${executionId}/steps`)).steps
  const from = (steps: Step[]) => Object.fromEntries(steps.map(({ node, servedFrom }) => [node, servedFrom ?? null]))
  /** The forecast, then the execution. They must agree on what runs and what it costs. */
  const executeAsForecast = async (workflowId: string, document: object, more?: object) => {
    const plan = await forecast(workflowId, document, more)
    const execution = await execute(workflowId, more)
    const [planned, ran] = [from(plan.steps), from(await stepsOf(execution.executionId))]
    // Another process may store the result of a free step after the forecast. Then more steps are reused, at the same cost.
    const differs = (node: string) => planned[node] !== ran[node] && !(planned[node] === null && ran[node] === 'cache')
    assert.deepEqual(Object.keys(ran).filter(differs), [], JSON.stringify([planned, ran]))
    assert.deepEqual(Object.keys(planned).sort(), Object.keys(ran).sort())
    const usd = execution.cost?.usd ?? 0
    assert.ok(plan.cost && plan.cost.minUsd <= usd && usd <= plan.cost.maxUsd, JSON.stringify([plan.cost, usd]))
    if (usd === 0) assert.equal(plan.cost.maxUsd, 0)
    return execution
  }

  test('a change after a model call does not call the model again, and the forecast says so', async () => {
    const workflowId = await draftOf(sheet())
    await executeAsForecast(workflowId, sheet())
    assert.equal(bills(), 2)
    for (const gap of [4, 9]) {
      await change(workflowId, sheet(gap))
      const { executionId } = await executeAsForecast(workflowId, sheet(gap))
      assert.deepEqual(from(await stepsOf(executionId)), { scene: 'cache', small: 'cache', grid: null })
    }
    const again = await executeAsForecast(workflowId, sheet(9))
    assert.deepEqual(from(await stepsOf(again.executionId)), { scene: 'cache', small: 'cache', grid: 'cache' })
    assert.equal(bills(), 2)
  })

  test('a new variation is a new result, and its text gives the earlier one back', async () => {
    const workflowId = await draftOf(sheet())
    const first = await executeAsForecast(workflowId, sheet(), { variations: {} })
    const second = await executeAsForecast(workflowId, sheet(), { variations: { scene: 'another' } })
    assert.equal(bills(), 4)
    const loose = { type: 'canvas', params: { width: 1, height: 1 } }
    await change(workflowId, { ...sheet(), nodes: { ...sheet().nodes, loose } })
    const { executionId } = await execute(workflowId, { variations: { scene: 'another', loose: 'x' } })
    const record = ok(await setup.api.get<VariedExecution>(`/workflows/executions/${executionId}`))
    assert.deepEqual(record.variations, { scene: 'another' }, 'of the executed nodes only')
    await executeAsForecast(workflowId, sheet(), { variations: { scene: 'another' } })
    const back = await executeAsForecast(workflowId, sheet(), { variations: { scene: 'scene' } })
    assert.equal(bills(), 4)
    const [one, other] = [await stepsOf(first.executionId), await stepsOf(second.executionId)]
    assert.notEqual(one[0]?.fingerprint, other[0]?.fingerprint)
    assert.deepEqual(
      (await stepsOf(back.executionId)).map(({ fingerprint }) => fingerprint),
      one.map(({ fingerprint }) => fingerprint),
    )
  })

  const imageIdOf = (output: AiExecution['output']) => (output as { imageId?: string } | undefined)?.imageId
  /** An image of a model on a canvas. */
  const framed = (prompt: string, pinned?: string): Document => ({
    name: 'Framed',
    nodes: {
      wish: { type: 'generate', params: { prompt, model: 'openai/gpt-image-1-mini' } },
      tinted: { type: 'blur', inputs: { image: 'wish' }, ...(pinned === undefined ? {} : { pinned }) },
      small: { type: 'resize', inputs: { image: 'tinted' }, params: { width: 32 } },
    },
    output: { node: 'small', format: 'png' },
  })

  test('a run up to a node stores its image without loss in the format of the request, and calls no model again', async () => {
    const workflowId = await draftOf(framed('A chair'))
    await execute(workflowId)
    assert.equal(bills(), 1)
    const toNode = { variations: {}, node: 'tinted', format: 'png' }
    const { output } = await execute(workflowId, toNode)
    assert.equal(output?.format, 'png')
    assert.equal((await execute(workflowId, { ...toNode, format: undefined })).output?.format, 'jpeg')
    assert.equal(bills(), 1)
    const alone = await setup.api.post(`/workflows/${workflowId}/draft/execute`, { format: 'png' })
    assert.deepEqual([alone.status, issuePaths(alone)], [400, ['format']])
  })

  test('a pinned node returns its image whatever changes before it, in a draft and in a version', async () => {
    const workflowId = await draftOf(framed('A table'))
    await execute(workflowId)
    const { output } = await execute(workflowId, { variations: {}, node: 'tinted', format: 'png' })
    const kept = framed('Another table', imageIdOf(output))
    await change(workflowId, kept)
    const plan = await forecast(workflowId, kept)
    assert.deepEqual([plan.valid, plan.cost, plan.warnings], [true, { minUsd: 0, maxUsd: 0 }, []])
    assert.deepEqual(
      plan.steps.map(({ node, operation }) => [node, operation]),
      [
        ['tinted', 'image'],
        ['small', 'resize'],
      ],
    )
    await execute(workflowId)
    ok(await setup.api.post(`/workflows/${workflowId}/draft/publish`, {}), 201)
    const published = ok(await setup.api.post<AiExecution>('/workflows/execute', { workflowId }))
    assert.equal(published.cost, undefined)
    assert.equal(bills(), 1)
    const stored = ok(await setup.api.get<Document>(`/workflows/${workflowId}/document`))
    assert.equal(stored.nodes.tinted?.type, 'blur', 'the settings are still there')
    const { workflows } = ok(await setup.api.get<{ workflows: unknown[] }>(`/storage/images/${imageIdOf(output)}/uses`))
    assert.equal(workflows.length, 1)
    const invalid = ok(await setup.api.post<Plan>('/workflows/validate', framed('A lamp', 'photo.png')))
    assert.deepEqual([invalid.valid, invalid.issues.map(({ path }) => path)], [false, ['nodes.tinted.pinned']])
  })

  fullOnly('without variations a model is called for each execution, and its results are not reused', async () => {
    const workflowId = await draftOf(drawn())
    await execute(workflowId, {})
    await execute(workflowId, {})
    assert.equal(bills(), 2)
    await execute(workflowId)
    assert.equal(bills(), 3)
    ok(await setup.api.post(`/workflows/${workflowId}/draft/publish`, {}), 201)
    ok(await setup.api.post('/workflows/execute', { workflowId }))
    assert.equal(bills(), 4)
  })

  fullOnly('another prompt is paid for, the first prompt again is not', async () => {
    const workflowId = await draftOf(sheet())
    const parameters = (thing: string) => ({ parameters: { thing }, variations: {} })
    await executeAsForecast(workflowId, sheet(), parameters('door'))
    await executeAsForecast(workflowId, sheet(), parameters('window'))
    assert.equal(bills(), 4)
    await executeAsForecast(workflowId, sheet(), parameters('door'))
    assert.equal(bills(), 4)
  })

  fullOnly('the result is reused after a later step has failed', async () => {
    const broken = sheet()
    broken.nodes.grid = { type: 'crop', inputs: { image: 'small' }, params: { x: 999, y: 0, width: 9, height: 9 } }
    broken.nodes.last = { type: 'grid', inputs: { images: 'grid' } }
    broken.output = { node: 'last', format: 'png' }
    const workflowId = await draftOf(broken)
    await fail(workflowId)
    assert.equal(bills(), 2)
    await change(workflowId, sheet())
    await executeAsForecast(workflowId, sheet())
    assert.equal(bills(), 2)
  })

  fullOnly(
    'equal nodes have different results, also in another workflow; a renamed node keeps its result',
    async () => {
      const { scene } = drawn().nodes
      const join = (images: string[]) => ({ type: 'grid', inputs: { images } })
      const edited = { ...drawn(), output: { node: 'all', format: 'png' } }
      const document = { ...edited, nodes: { scene, other: scene, all: join(['scene', 'other']) } }
      const workflowId = await draftOf(document)
      await executeAsForecast(workflowId, document)
      assert.equal(bills(), 2)
      const copy = await draftOf(document)
      await executeAsForecast(copy, document)
      assert.equal(bills(), 4)
      const renamed = { ...edited, nodes: { door: scene, other: scene, all: join(['door', 'other']) } }
      await change(workflowId, renamed)
      await executeAsForecast(workflowId, renamed, { variations: { door: 'scene' } })
      assert.equal(bills(), 4)
    },
  )

  fullOnly('text of a model that another model reads is paid for once, and the forecast knows it', async () => {
    const document = (width: number): Document => ({
      name: 'Prompted',
      nodes: {
        idea: { type: 'write', params: { prompt: 'A scene', model: 'openai/gpt-5.4-mini' } },
        scene: { type: 'generate', params: { prompt: '{{ nodes.idea.text }}', model: 'openai/gpt-image-1-mini' } },
        small: { type: 'resize', inputs: { image: 'scene' }, params: { width } },
      },
      output: { node: 'small', format: 'png' },
    })
    const workflowId = await draftOf(document(20))
    await execute(workflowId)
    const paid = bills()
    await change(workflowId, document(30))
    await executeAsForecast(workflowId, document(30))
    assert.equal(bills(), paid)
    await executeAsForecast(workflowId, document(30), { variations: { scene: 'another' } })
    assert.equal(bills(), paid + 1)
  })

  fullOnly(
    'a fingerprint changes with the work of a step and of the steps before it, and with nothing else',
    async () => {
      const workflowId = await draftOf(sheet())
      const { executionId } = await execute(workflowId)
      const created = await stepsOf(executionId)
      const changed = async (document: Document, more?: object) => {
        const { steps } = await forecast(workflowId, document, more)
        return steps.flatMap(({ node, fingerprint }) =>
          created.find((each) => each.node === node)?.fingerprint === fingerprint ? [] : [node],
        )
      }
      const document = sheet()
      assert.deepEqual(await changed(document), [])
      assert.deepEqual(await changed(sheet(3)), ['grid'])
      document.nodes.small = { params: { fit: 'cover', width: 32 }, inputs: { image: ['scene'] }, type: 'resize' }
      assert.deepEqual(await changed(document), [], 'the order of fields and a default')
      document.nodes.small = { type: 'resize', inputs: { image: 'scene' }, params: { width: 33 } }
      assert.deepEqual(await changed(document), ['small', 'grid'])
      const renamed: Document = {
        ...sheet(),
        parameters: [{ name: 'object', type: 'string', default: 'door' }],
        nodes: {
          ...sheet().nodes,
          scene: {
            type: 'generate',
            params: { prompt: 'A {{ item }} {{ object }}', model: 'openai/gpt-image-1-mini' },
            each: ['red', 'blue'],
          },
        },
      }
      assert.deepEqual(await changed(renamed), [])
      assert.deepEqual(await changed(sheet(), { parameters: { thing: 'gate' }, variations: {} }), [
        'scene',
        'small',
        'grid',
      ])
      assert.deepEqual(await changed(sheet(), { variations: { scene: 'another' } }), ['scene', 'small', 'grid'])
    },
  )

  fullOnly('wrong values are refused', async () => {
    const workflowId = await draftOf(drawn())
    const bodies: [object, string][] = [
      [{ variations: [] }, 'variations'],
      [{ variations: { scene: 1 } }, 'variations.scene'],
      [{ variations: { scene: '' } }, 'variations.scene'],
      [{ variations: { scene: 'x'.repeat(101) } }, 'variations.scene'],
      [{ variations: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`n${i}`, 'x'])) }, 'variations'],
    ]
    for (const [body, path] of bodies) {
      assert.deepEqual(issuePaths(await setup.api.post(`/workflows/${workflowId}/draft/execute`, body)), [path])
      assert.deepEqual(
        issuePaths(await setup.api.post('/workflows/validate', { document: drawn(), workflowId, ...body })),
        [path],
      )
    }
    const unknown = { variations: { scen: 'x', scene: 'y', sky: 'z' } }
    for (const reply of [
      await setup.api.post(`/workflows/${workflowId}/draft/execute`, unknown),
      await setup.api.post(`/workflows/${workflowId}/draft/execute`, { ...unknown, node: 'scene' }),
      await setup.api.post('/workflows/validate', { document: drawn(), workflowId, ...unknown }),
    ]) {
      assert.deepEqual(issuePaths(reply), ['variations.scen', 'variations.sky'])
      assert.match(reply.text, /is not a known node of the workflow. Did you mean \\"scene\\"\?/)
      assert.match(reply.text, /is not a known node of the workflow. Allowed: /)
    }
    assert.equal((await forecast(workflowId, { name: 'No nodes' }, unknown)).valid, false)
    const validate = (more: object) => setup.api.post('/workflows/validate', { document: drawn(), ...more })
    assert.deepEqual(issuePaths(await validate({ workflowId })), ['variations'])
    assert.deepEqual(issuePaths(await validate({ variations: {} })), ['workflowId'])
    assert.deepEqual(issuePaths(await validate({ workflowId: 3, variations: {} })), ['workflowId'])
    assert.equal(bills(), 0)
  })
})
