/** Typed values on their way: retried requests, drafts, resumed executions, versions. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount } from '../harness/shared.ts'
import type { Execution, Image, Images } from '../harness/types.ts'
import { fetchImage, idInUrl, save, upload } from '../harness/workflows.ts'

interface Passed {
  cards: { photo: string; title?: string }[]
  proof?: boolean
}

area('typed values', { concurrency: 4 }, () => {
  let api: Client
  let bytes: Buffer
  let dataUrl: string
  before(async () => {
    api = (await newAccount()).api
    bytes = await plain('png', 14, 10)
    dataUrl = `data:image/png;base64,${bytes.toString('base64')}`
  })

  /** Crops at `left`, which fails outside of an image. */
  const cards = {
    ...canvas(),
    name: 'Cards',
    parameters: [
      {
        name: 'cards',
        type: 'string',
        format: 'json',
        required: true,
        schema: {
          type: 'array',
          maxItems: 4,
          items: {
            type: 'object',
            required: ['photo'],
            properties: { photo: { type: 'string', format: 'image' }, title: { type: 'string', default: 'Untitled' } },
          },
        },
      },
      { name: 'proof', type: 'string', format: 'boolean', default: false },
      { name: 'left', type: 'number', default: 2 },
    ],
    nodes: {
      photo: { type: 'image', each: '{{ cards }}', params: { source: '{{ item.photo }}' } },
      cut: { type: 'crop', inputs: { image: 'photo' }, params: { x: '{{ left }}', y: 0, width: 4, height: 4 } },
      marked: { type: 'invert', when: '{{ proof }}', inputs: { image: 'cut' } },
      all: { type: 'stack', inputs: { images: 'marked' }, params: { direction: 'horizontal' } },
    },
    output: { node: 'all', format: 'png', name: '{{ cards[0].title }}{% if proof %} (proof){% endif %}' },
  }
  const execute = (workflowId: string, parameters: object) =>
    api.post<Execution>('/workflows/execute', { workflowId, parameters })
  const record = async (id: string) => ok(await api.get<Execution>(`/workflows/executions/${id}`))
  const nameOf = async ({ output }: Execution) =>
    ok(await api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`)).name

  test('a retried request with a data: URL returns the first execution, and its image is stored once', async () => {
    const account = (await newAccount()).api
    const { id: workflowId } = await save(account, cards)
    const parameters = { cards: [{ photo: dataUrl }, { photo: dataUrl }] }
    const send = () =>
      account.post<Execution>('/workflows/execute', { workflowId, parameters }, { 'idempotency-key': 'cards-1' })
    const [first, second] = [ok(await send()), ok(await send())]
    assert.equal(second.executionId, first.executionId)
    // The image of the URL, and the output.
    assert.equal(ok(await account.get<Images>('/storage/images')).total, 2)
    const executed = ok(await account.get<Execution>(`/workflows/executions/${first.executionId}`))
    const { cards: stored } = executed.parameters as unknown as Passed
    assert.deepEqual(stored, [
      { photo: stored[0]?.photo, title: 'Untitled' },
      { photo: stored[0]?.photo, title: 'Untitled' },
    ])
    assert.match(stored[0]?.photo ?? '', /^img_/)
  })

  test('the record of an execution has typed values, and they execute the same image again', async () => {
    const { id } = await save(api, cards)
    const passed = { cards: JSON.stringify([{ photo: dataUrl, title: 'Ada' }]), proof: 'true' }
    const first = ok(await execute(id, passed))
    assert.equal(await nameOf(first), 'Ada (proof).png')
    const { parameters = {} } = await record(first.executionId)
    assert.equal(parameters.proof, true)
    assert.ok(Array.isArray(parameters.cards))
    const again = ok(await execute(id, parameters))
    const [one, two] = await Promise.all([first, again].map(({ output }) => fetchImage(api, output?.url ?? '')))
    assert.deepEqual(two, one)
  })

  test('a failed execution is resumed with its typed values, or with others in place of them', async () => {
    const { id } = await save(api, cards)
    const { executionId = '' } = refused(
      await execute(id, { cards: [{ photo: dataUrl, title: 'Ada' }, { photo: dataUrl }], left: 500, proof: true }),
      'workflow_failed',
    )
    const resume = (parameters: object) =>
      api.post<Execution>(`/workflows/executions/${executionId}/resume`, { parameters })
    const fixed = ok(await resume({ left: 1 }))
    assert.equal(await nameOf(fixed), 'Ada (proof).png')
    assert.equal(fixed.output?.width, 8)
    const other = ok(await resume({ left: 1, proof: false, cards: [{ photo: dataUrl, title: 'Mei' }] }))
    assert.equal(await nameOf(other), 'Mei.png')
    assert.deepEqual(issuePaths(await resume({ cards: [{ title: 'no photo' }] })), ['parameters.cards.0.photo'])
  })

  test('a draft runs with typed values, and reports their problems', async () => {
    const { id } = await save(api, cards)
    const document = { ...cards, output: { ...cards.output, name: 'draft {{ cards[0].title }}' } }
    ok(await api.put(`/workflows/${id}/draft`, { document }), 201)
    const run = (parameters: object) => api.post<Execution>(`/workflows/${id}/draft/execute`, { parameters })
    const done = ok(await run({ cards: [{ photo: dataUrl }], proof: 'true' }))
    assert.equal(await nameOf(done), 'draft Untitled.png')
    assert.deepEqual(issuePaths(await run({ cards: [{ photo: 'img_none' }], proof: 1 })), [
      'parameters.cards.0.photo',
      'parameters.proof',
    ])
  })

  test('all images of a request are looked up together, and each missing one is named', async () => {
    const { id } = await save(api, cards)
    const stored = await upload(api, bytes, 'card.png')
    const missing = `img_${'1'.repeat(28)}`
    const photos = [stored.id, missing, stored.url.replace(stored.id, missing), missing]
    assert.deepEqual(issuePaths(await execute(id, { cards: photos.map((photo) => ({ photo })) })), [
      'parameters.cards.1.photo',
      'parameters.cards.2.photo',
      'parameters.cards.3.photo',
    ])
    // Also if a template has a problem.
    assert.deepEqual(issuePaths(await execute(id, { cards: [{ photo: missing }], left: -5 })), [
      'nodes.cut.params.x',
      'parameters.cards.0.photo',
    ])
  })
})
