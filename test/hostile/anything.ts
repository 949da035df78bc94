/** Guarantee: for any JSON, the response is a success or an error of the caller, never an internal error. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { area } from '../harness/area.ts'
import type { Client } from '../harness/client.ts'
import { repetitions } from '../harness/repetitions.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import type { ErrorBody } from '../harness/types.ts'
import { assertAlive } from './survival.ts'

const runs = { numRuns: repetitions(20, 60) }

area('any JSON', { concurrency: 2 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount(await closedService())
  })
  /** The client checks each response against the OpenAPI document. This test checks only the status. */
  const send = async <T>(path: string, json: unknown): Promise<T> => {
    const reply = await api.post<T & Partial<ErrorBody>>(path, json)
    const { error } = reply.body
    assert.notEqual(error?.code, 'internal_error', reply.text)
    assert.notEqual(error?.details.reason, 'internal', reply.text)
    return reply.body
  }

  test('sent to any POST never causes an internal error', async () => {
    const paths = ['/workflows', '/workflows/execute', '/workflows/validate', '/workflows/drafts', '/projects']
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...paths), async (json, path) => {
        await send(path, json)
      }),
      runs,
    )
    await assertAlive(api.service)
  })

  test('in any place of a valid document never causes an internal error, saved or executed', async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('{{ size }}', '{{', '{{ nil }}', '{{ nodes.sheet.width }}', -1, 1e308),
    )
    await fc.assert(
      fc.asyncProperty(odd, fc.nat(), async (json, place) => {
        const document = goodDocument()
        const places = placesOf(document)
        const [holder, name] = places[place % places.length] ?? [document, 'name']
        holder[name] = json
        const { id } = await send<{ id?: string }>('/workflows', document)
        if (id !== undefined) await send('/workflows/execute', { workflowId: id })
        const { workflowId } = await send<{ workflowId?: string }>('/workflows/drafts', { document })
        if (workflowId !== undefined) await send(`/workflows/${workflowId}/draft/execute`, {})
      }),
      runs,
    )
    await assertAlive(api.service)
  })

  test('as the parameters of an execution never causes an internal error', async () => {
    const { id } = await send<{ id: string }>('/workflows', goodDocument())
    const number = fc.double()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.record({ size: number }), fc.record({ words: fc.string({ unit: 'binary' }) })),
        async (parameters) => {
          await send('/workflows/execute', { workflowId: id, parameters })
        },
      ),
      runs,
    )
    await assertAlive(api.service)
  })
})

type Holder = Record<string, unknown>

function goodDocument(): Holder {
  return {
    name: 'Good',
    description: 'x',
    parameters: [
      { name: 'size', type: 'number', default: 8, minimum: 1, maximum: 64 },
      { name: 'words', type: 'string', default: 'Hi' },
    ],
    nodes: {
      sheet: { type: 'canvas', params: { width: '{{ size }}', height: 8, color: '#ff000080' } },
      turned: { type: 'flip', when: '{{ size }}', inputs: { image: 'sheet' } },
      title: { type: 'text', inputs: { image: 'turned' }, params: { text: '{{ words }}', size: 8, color: 'white' } },
    },
    output: { node: 'title', format: 'png', lossless: false, quality: 5, name: '{{ words }}.png' },
    examples: [{ name: 'usual', parameters: { size: 9 } }],
    layout: { sheet: [0, 0] },
  }
}

/** Every field at every depth. */
function placesOf(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as [Holder, string],
    ...(typeof value === 'object' && value !== null ? placesOf(value as Holder) : []),
  ])
}
