/** `choose` with `by: value`: only the chosen image is made and paid for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AiExecution, useAiService } from '../harness/ai.ts'
import { area, fullOnly } from '../harness/area.ts'
import { issuePaths, ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { save } from '../harness/workflows.ts'

interface Step {
  node: string
  status: string
  error?: { message: string } | null
}

const generated = (prompt: string) => ({
  type: 'generate',
  params: { prompt, model: 'openai/gpt-image-1-mini' },
})

/** A background for winter, one for summer, and a plain one for everything else. */
function season(value = '{{ season }}', more: object = {}): Document & Required<Pick<Document, 'parameters'>> {
  return {
    name: 'Season',
    parameters: [{ name: 'season', type: 'string', required: true }],
    nodes: {
      snow: generated('snow'),
      beach: generated('beach'),
      plain: { type: 'canvas', params: { width: 64, height: 64, color: 'white' } },
      background: {
        type: 'choose',
        inputs: { images: ['snow', 'beach', 'plain'] },
        params: { by: 'value', value, cases: ['winter', 'summer'] },
        ...more,
      },
      small: { type: 'resize', inputs: { image: 'background' }, params: { width: 8 } },
    },
    output: { node: 'small', format: 'png' },
  }
}

/** The value is known only after a node has run. */
function measured(height: number): Document {
  const { nodes, output } = season('{% if nodes.shape.height > 50 %}winter{% else %}{{ season }}{% endif %}')
  return {
    name: 'Measured',
    parameters: [{ name: 'season', type: 'string', required: true }],
    nodes: { ...nodes, shape: { type: 'canvas', params: { width: 9, height } } },
    output,
  }
}

area('a choice by value', { dependsOn: 'nothing' }, () => {
  const setup = useAiService()

  const paidFor = () => setup.ai.openai.billed().length
  async function execute(document: Document, value: string) {
    const { id } = await save(setup.api, document)
    const executed = await setup.api.post<AiExecution>('/workflows/execute', {
      workflowId: id,
      parameters: { season: value },
    })
    const { body } = executed as { body: { executionId?: string; error?: { details: { executionId: string } } } }
    const executionId = body.executionId ?? body.error?.details.executionId
    const { steps } = ok(await setup.api.get<{ steps: Step[] }>(`/workflows/executions/${executionId}/steps`))
    return { executed, steps, ran: steps.filter(({ status }) => status === 'completed').map(({ node }) => node) }
  }

  test('makes only the image of the case, and the last one for all other values', async () => {
    for (const [value, created, price] of [
      ['winter', 'snow', 1],
      ['summer', 'beach', 1],
      ['Winter', 'plain', 0],
    ] as const) {
      setup.ai.openai.reset()
      const { executed, ran } = await execute(season(), value)
      ok(executed, 200)
      assert.deepEqual(ran.sort(), ['background', created, 'small'].sort(), value)
      assert.equal(paidFor(), price, value)
    }
  })

  fullOnly('is decided before anything runs, so that the plan has its cost', async () => {
    const cost = async (value: string) => {
      const plan = ok(
        await setup.api.post<{ steps: { node: string; action: string }[]; cost: { maxUsd: number } }>(
          '/workflows/validate',
          {
            document: season(),
            parameters: { season: value },
          },
        ),
      )
      return { ...plan, unneeded: plan.steps.filter(({ action }) => action === 'unneeded').map(({ node }) => node) }
    }
    const [winter, other] = [await cost('winter'), await cost('autumn')]
    assert.deepEqual(winter.unneeded.sort(), ['beach', 'plain'])
    assert.deepEqual(other.unneeded.sort(), ['beach', 'snow'])
    assert.ok(winter.cost.maxUsd > 0)
    assert.equal(other.cost.maxUsd, 0)
    assert.equal(paidFor(), 0)
  })

  test('reads a value of another node, and waits only for that node', async () => {
    const tall = await execute(measured(60), 'summer')
    ok(tall.executed, 200)
    assert.deepEqual(tall.ran.sort(), ['background', 'shape', 'small', 'snow'])
    const flat = await execute(measured(40), 'summer')
    ok(flat.executed, 200)
    assert.deepEqual(flat.ran.sort(), ['background', 'beach', 'shape', 'small'])
    assert.equal(paidFor(), 2)
  })

  fullOnly('without a case for the value, fails before any image is made', async () => {
    const known = season()
    known.nodes.background = { ...known.nodes.background, inputs: { images: ['snow', 'beach'] } }
    const { id } = await save(setup.api, known)
    const refused = await setup.api.post('/workflows/execute', { workflowId: id, parameters: { season: 'autumn' } })
    assert.deepEqual(issuePaths(refused), ['nodes.background.params.value'])
    assert.match(
      JSON.stringify(refused.body),
      /is \\"autumn\\", which is not one of `cases`: \\"winter\\", \\"summer\\"/,
    )

    const late = measured(40)
    late.nodes.background = { ...late.nodes.background, inputs: { images: ['snow', 'beach'] } }
    const { executed, steps } = await execute(late, 'autumn')
    assert.equal(executed.status, 500)
    const failed = steps.filter(({ status }) => status === 'failed')
    assert.deepEqual(
      failed.map(({ node }) => node),
      ['background'],
    )
    assert.match(`${failed[0]?.error?.message}`, /"autumn", which is not one of `cases`/)
    assert.equal(paidFor(), 0)
  })

  fullOnly('that is skipped passes on its first image', async () => {
    const { executed, ran } = await execute(season('{{ season }}', { when: "{{ season == 'summer' }}" }), 'autumn')
    ok(executed, 200)
    assert.deepEqual(ran.sort(), ['small', 'snow'])
  })

  fullOnly('reads no other image, and a value that is not passed selects the last one', async () => {
    const document = season()
    document.parameters = [{ name: 'season', type: 'string' }]
    const { background } = document.nodes
    document.nodes.background = { ...background, inputs: { images: ['snow', 'beach', 'plain'], reference: 'snow' } }
    const { id } = await save(setup.api, document)
    const executed = ok(await setup.api.post<AiExecution>('/workflows/execute', { workflowId: id }), 200)
    const { steps } = ok(await setup.api.get<{ steps: Step[] }>(`/workflows/executions/${executed.executionId}/steps`))
    const ran = steps.filter(({ status }) => status === 'completed').map(({ node }) => node)
    assert.deepEqual(ran.sort(), ['background', 'plain', 'small'])
    assert.equal(paidFor(), 0)
  })

  fullOnly('that is skipped waits for no value of a branch', async () => {
    const document = season('{{ nodes.words.text }}', { when: '{{ nodes.plain.width > 64 }}' })
    document.nodes.words = { type: 'write', params: { prompt: 'A season', model: 'openai/gpt-5-mini' } }
    document.nodes.background = { ...document.nodes.background, inputs: { images: ['plain', 'snow', 'beach'] } }
    const { executed, ran } = await execute(document, 'summer')
    ok(executed, 200)
    assert.deepEqual(ran.sort(), ['plain', 'small'])
    assert.equal(paidFor(), 0)
  })

  fullOnly('inside of a list, a missing image is an error and moves no other image to its place', async () => {
    const { parameters, nodes, output } = season('{{ item }}', { each: ['winter', 'summer'] })
    nodes.snow = { ...nodes.snow, type: 'generate', when: "{{ season == 'winter' }}" }
    const sheet = { type: 'stack', inputs: { images: ['small', 'plain'] } }
    const document = { name: 'Gap', parameters, nodes: { ...nodes, sheet }, output: { ...output, node: 'sheet' } }
    const { executed, steps } = await execute(document, 'summer')
    assert.equal(executed.status, 500)
    const failed = steps.find(({ node }) => node === 'background')
    assert.match(`${failed?.error?.message}`, /The node "snow" was skipped and has no image/)
  })

  fullOnly('inside of a list, each item has its own choice', async () => {
    const { parameters, nodes, output } = season('{{ item }}', { each: ['winter', 'other'] })
    const document = {
      name: 'Pair',
      parameters,
      nodes: { ...nodes, sheet: { type: 'stack', inputs: { images: 'small' } } },
      output: { ...output, node: 'sheet' },
    }
    const { executed, ran } = await execute(document, 'unused')
    ok(executed, 200)
    assert.deepEqual(ran.sort(), ['background', 'beach', 'plain', 'sheet', 'small', 'snow'])
  })

  fullOnly('mistakes are reported when the workflow is saved', async () => {
    const withParams = (params: object) => {
      const document = season()
      document.nodes.background = { ...document.nodes.background, params: { by: 'value', ...params } }
      return setup.api.post('/workflows', document)
    }
    const value = '{{ season }}'
    for (const [params, path] of [
      [{ value, cases: ['winter'] }, 'cases'],
      [{ value, cases: ['a', 'b', 'c', 'd'] }, 'cases'],
      [{ value }, 'cases'],
      [{ cases: ['winter', 'summer'] }, 'value'],
      [{ value, cases: ['winter', 'winter'] }, 'cases'],
      [{ value: 'x', cases: ['a', 'b', 'c'] }, 'value'],
    ] as const)
      assert.deepEqual(
        issuePaths(await withParams(params)),
        [`nodes.background.params.${path}`],
        JSON.stringify(params),
      )
  })

  fullOnly('a workflow whose chosen image could be missing is rejected', async () => {
    const document = season()
    document.nodes.beach = { ...document.nodes.beach, type: 'generate', when: '{{ season }}' }
    assert.deepEqual(issuePaths(await setup.api.post('/workflows', document)), ['output.node'])
  })
})
