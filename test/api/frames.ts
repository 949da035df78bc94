/** `frames` of steps: where a step drew or read, and the params that set it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { useAiService } from '../harness/ai.ts'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { framesIn } from '../harness/event-stream.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

interface Step {
  node: string
  width?: number
  height?: number
  servedFrom?: string
  frames?: { id: string; lines?: object[] }[]
}

area('the frames of steps', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const stepsOf = async (id: string): Promise<Step[]> =>
    ok(await api.get<{ steps: Step[] }>(`/workflows/executions/${id}/steps`)).steps
  const framesOf = (steps: Step[]) => Object.fromEntries(steps.map(({ node, frames }) => [node, frames]))
  const sheet = { type: 'canvas', params: { width: 200, height: 100, color: 'white' } }
  const box = { x: 20, y: 10, width: 120, height: 60 }
  const document = (name: string, title: string) => ({
    name,
    parameters: [{ name: 'title', type: 'string', default: title }],
    nodes: {
      sheet,
      words: { type: 'text', inputs: { image: 'sheet' }, params: { text: '{{ title }}', size: 20, box } },
      cut: { type: 'crop', inputs: { image: 'words' }, params: { x: 5, y: 6, width: 100, height: 50 } },
      framed: { type: 'extend', inputs: { image: 'cut' }, params: { left: 8 } },
    },
    output: { node: 'framed', format: 'png' },
  })
  const cropFrame = {
    id: 'crop',
    kind: 'rect',
    of: 'input',
    points: [
      [5, 6],
      [105, 56],
    ],
    binds: { x: { param: 'x' }, y: { param: 'y' }, width: { param: 'width' }, height: { param: 'height' } },
  }

  test('a step has the areas that it draws or reads in its record and in its events', async () => {
    const { id } = await save(api, document('Frames', 'Two\nlines'))
    const first = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    const steps = await stepsOf(first.executionId)
    const frames = framesOf(steps)
    assert.deepEqual(frames.cut, [cropFrame])
    assert.equal(frames.sheet, undefined)
    const [drawn, ink] = frames.words ?? []
    assert.deepEqual(
      { ...drawn, lines: drawn?.lines?.length },
      {
        id: 'box',
        kind: 'box',
        of: 'result',
        points: [
          [20, 10],
          [140, 70],
        ],
        binds: {
          x: { param: 'box.x' },
          y: { param: 'box.y' },
          width: { param: 'box.width' },
          height: { param: 'box.height' },
          fontSize: { param: 'size' },
        },
        lines: 2,
      },
    )
    assert.equal(ink?.id, 'ink')

    const events = await api.call('GET', `/workflows/executions/${first.executionId}/events`, {
      headers: { 'last-event-id': '0' },
    })
    ok(events)
    const states = framesIn(events.text).flatMap(({ event, data }) => (event === 'step' ? [data] : []))
    for (const node of ['words', 'cut'])
      assert.deepEqual(states.findLast((state) => state.node === node)?.frames, frames[node])
  })

  test('with previews, a step that the cache makes needless has its frames and its size', async () => {
    const { id } = await save(api, document('Frames with previews', 'Previewed'))
    const execute = async () =>
      stepsOf(ok(await api.post<Execution>('/workflows/execute', { workflowId: id, previews: true })).executionId)
    const first = await execute()
    const second = await until('the stored steps', async () => {
      const steps = await execute()
      const areStored = steps.every(({ servedFrom }) => servedFrom === 'cache')
      return areStored && isDeepStrictEqual(framesOf(steps), framesOf(first)) ? steps : undefined
    })
    assert.equal(framesOf(first).cut?.length, 1)
    const sizes = (steps: Step[]) => steps.map(({ node, width, height }) => [node, width, height])
    assert.deepEqual(sizes(second), sizes(first))
  })

  test('a resumed execution has the frames of the steps that it takes over', async () => {
    const nodes = {
      sheet: { ...sheet, cache: false },
      cut: { type: 'crop', inputs: { image: 'sheet' }, params: { x: 5, y: 6, width: 100, height: 50 } },
      soft: { type: 'blur', inputs: { image: 'cut' } },
      last: { type: 'crop', inputs: { image: 'soft' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
    }
    const parameters = [{ name: 'left', type: 'number', default: 1000 }]
    const { id } = await save(api, { name: 'Resumed', parameters, nodes, output: { node: 'last', format: 'png' } })
    const { executionId = '' } = refused(await api.post('/workflows/execute', { workflowId: id }), 'workflow_failed')
    const resumed = ok(
      await api.post<Execution>(`/workflows/executions/${executionId}/resume`, { parameters: { left: 3 } }),
    )
    const before = framesOf(await stepsOf(executionId))
    const steps = await stepsOf(resumed.executionId)
    assert.deepEqual(before.cut, [cropFrame])
    const cut = steps.find(({ node }) => node === 'cut')
    assert.equal(cut?.servedFrom, 'resumed')
    assert.deepEqual(cut?.frames, [cropFrame])
  })

  test('a crop that is outside of its image fails with its rectangle', async () => {
    const { nodes, ...rest } = document('Outside', 'Two')
    const outside = { ...rest, nodes: { ...nodes, sheet: { ...sheet, params: { ...sheet.params, width: 90 } } } }
    const { id } = await save(api, outside)
    const reply = await api.post<{ error: { details: { executionId: string } } }>('/workflows/execute', {
      workflowId: id,
    })
    refused(reply, 'workflow_failed')
    const steps = await stepsOf(reply.body.error.details.executionId)
    assert.deepEqual(framesOf(steps).cut, [cropFrame])
    assert.equal(framesOf(steps).framed, undefined)
  })

  test('a list has the frames of its first image', async () => {
    const { id } = await save(api, {
      name: 'List',
      nodes: {
        sheet,
        parts: {
          type: 'crop',
          each: '{{ "5,40" | split: "," }}',
          inputs: { image: 'sheet' },
          params: { x: '{{ item }}', y: 6, width: 100, height: 50 },
        },
        row: { type: 'stack', inputs: { images: 'parts' } },
      },
      output: { node: 'row', format: 'png' },
    })
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    assert.deepEqual(framesOf(await stepsOf(executionId)).parts, [cropFrame])
  })
})

area('the frames of steps of a model', {}, () => {
  const setup = useAiService()

  test('a step of a model that the cache serves has the frames that it had when it ran', async () => {
    const nodes = {
      sheet: { type: 'canvas', params: { width: 200, height: 100, color: 'white' } },
      mask: { type: 'canvas', params: { width: 200, height: 100, color: 'black' } },
      dot: { type: 'canvas', params: { width: 30, height: 20, color: 'white' } },
      area: { type: 'composite', inputs: { image: 'mask', overlay: 'dot' }, params: { x: 40, y: 50 } },
      painted: {
        type: 'inpaint',
        inputs: { image: 'sheet', mask: 'area' },
        params: { prompt: 'A door', seed: 1, model: 'fal/fal-ai/flux-pro/v1/fill' },
      },
    }
    const execute = async (format: string) => {
      const document = { name: `Painted ${format}`, nodes, output: { node: 'painted', format } }
      const { id } = await save(setup.api, document)
      const { executionId } = ok(await setup.api.post<Execution>('/workflows/execute', { workflowId: id }))
      const { steps } = ok(await setup.api.get<{ steps: Step[] }>(`/workflows/executions/${executionId}/steps`))
      return steps.find(({ node }) => node === 'painted')
    }
    const [first, second] = [await execute('png'), await execute('webp')]
    assert.equal(second?.servedFrom, 'cache')
    assert.equal(first?.frames?.length, 1)
    assert.deepEqual(second.frames, first.frames)
  })
})
