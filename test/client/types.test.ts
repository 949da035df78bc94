/** Programs with the types of the client and of `tintype types` compile, and no longer if a parameter is renamed. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { typesOf } from '../../src/cli/workflow-types.ts'
import { inputSchemaOf } from '../../src/domain/workflows/input-schema.ts'
import type { ParameterDeclaration } from '../../src/domain/workflows/workflow.ts'
import { repository } from '../harness/process.ts'
import { type InstalledClient, installClient } from './package.ts'

const parameters: ParameterDeclaration[] = [
  { name: 'headline', type: 'string', required: true, description: 'Ends */ here,\nnot there' },
  { name: 'width', type: 'number', default: 300 },
  { name: 'photo', type: 'string', format: 'image' },
  { name: 'style', type: 'string', enum: ['warm', 'cold'], labels: { warm: 'Warm light' }, default: 'warm' },
  { name: 'labels', type: 'string', format: 'boolean', default: 'true' },
  {
    name: 'people',
    type: 'string',
    format: 'json',
    default: '[]',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          'job-title': { type: 'string', enum: ['Design'] },
          age: { type: 'integer' },
        },
      },
    },
  },
]

const linkCard = {
  id: 'wf_1',
  slug: 'link-card',
  name: 'Link card',
  description: 'A card for links.',
  inputSchema: inputSchemaOf(parameters),
  outputs: ['banner', 'small'],
}
const plain = { id: 'wf_2', name: 'Plain', inputSchema: inputSchemaOf([]), outputs: [] }

const program = `
import { Tintype, type Execution, type Image, type Schemas, signUrl, verifyWebhook, WorkflowFailedError } from '@tintype/client'

const client = new Tintype({ url: 'http://127.0.0.1:8080', key: 'tt_live_x' })

export async function main(signal: AbortSignal, file: Blob) {
  const { output, outputs = [] } = await client.run('link-card', { headline: 'Hello' }, { signal })
  const url: string = output.url
  for (const { name } of outputs) {
    const known: 'banner' | 'small' = name
    console.log(known, url)
  }
  await client.run('link-card', {
    headline: 'Hello', width: null, style: 'cold', labels: true, photo: 'img_1',
    people: [{ name: 'Ada', 'job-title': 'Design', age: 36 }],
  })
  await client.run('wf_1', { headline: 'By its id' })
  await client.run('wf_2')
  await client.run('wf_2', {}, { timeout: 1000 })
  await client.submit('link-card', { headline: 'Hello' })
  const batch = await client.batch('link-card', [{ key: 'a', headline: 'One' }, { key: 2, headline: 'Two' }])
  for await (const { key, status } of batch) console.log(key, status)
  // Workflows without types accept anything.
  await client.run('other', { anything: [1] })
  const name: string = 'computed'
  await client.run(name, { anything: 1 })

  // @ts-expect-error: the name of the parameter is wrong.
  await client.run('link-card', { headlin: 'Hello' })
  // @ts-expect-error: it is required.
  await client.run('link-card', {})
  // @ts-expect-error: it is required.
  await client.run('link-card')
  // @ts-expect-error: one more parameter.
  await client.run('link-card', { headline: 'Hello', color: 'red' })
  // @ts-expect-error: a text.
  await client.run('link-card', { headline: 3 })
  // @ts-expect-error: one of two texts.
  await client.submit('link-card', { headline: 'Hello', style: 'hot' })
  // @ts-expect-error: a field of a JSON value.
  await client.run('link-card', { headline: 'Hello', people: [{ nam: 'Ada' }] })
  // @ts-expect-error: the wrong parameter of the workflow by its id.
  await client.run('wf_1', { headlin: 'Hello' })
  // @ts-expect-error: it has no parameters.
  await client.run('wf_2', { headline: 'Hello' })
  // @ts-expect-error: in a row of a batch.
  await client.batch('link-card', [{ headlin: 'One' }])

  const image: Image = await client.upload(file, { onProgress: ({ loaded, total }) => console.log(loaded / total) })
  const page = await client.images.list({ projectId: 'proj_1', limit: 5 })
  const total: number = page.images.length
  for await (const { id } of client.images.list()) console.log(id, total, image.id)
  // @ts-expect-error: an unknown filter.
  client.images.list({ project: 'proj_1' })
  // @ts-expect-error: the id is missing.
  await client.workflows.get()
  for await (const event of client.events('exec_1')) {
    if (event.type === 'step') console.log(event.data.node)
    else if (event.type === 'snapshot') console.log(event.data.steps.length)
    else console.log(event.data.status)
  }
  const execution: Execution = await client.executions.get('exec_1')
  if (execution.status === 'failed') console.log(execution.error.message)
  const workflow: Schemas['Workflow'] = await client.workflows.get('link-card')
  console.log(workflow.name)
  await client.run('link-card', { headline: 'x' }).catch((error: unknown) => {
    if (error instanceof WorkflowFailedError) console.log(error.reason, error.issues[0]?.path, error.requestId)
  })
  const event = await verifyWebhook({ body: '', headers: {}, secret: 'whsec_' })
  if (event.type === 'execution.completed') console.log(event.data)
  console.log(await signUrl({ file: 'link-card.webp', parameters: { headline: 'Hello' }, key: { id: 'a', secret: 'b' } }))
}
`

const generic = `
import { Tintype } from '@tintype/client'

interface Mine { card: { parameters: { title: string } } }
const client = new Tintype<Mine>({ url: 'http://127.0.0.1:8080' })
export const result = client.run('card', { title: 'Hello' })
// @ts-expect-error: not with the type of this client.
client.run('card', { headline: 'Hello' })
`

describe('a program with the types of its workflows', () => {
  let installed: InstalledClient
  before(() => {
    installed = installClient()
    installed.write('workflows.d.ts', typesOf([linkCard, plain]))
    installed.write('program.ts', program)
    installed.write('generic.ts', generic)
    installed.write('in-runtimes.ts', readFileSync(join(repository, 'test/client/runtimes/program.ts'), 'utf8'))
  })
  after(() => installed.remove())

  // The declarations of the package are checked, too: nothing is skipped.
  test('compiles in Node, without the types of a browser', () => {
    assert.equal(installed.compile({ lib: ['es2022'], types: ['node'] }), '')
  })

  test('compiles for a browser, without the types of Node', () => {
    const browser = { lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' }
    assert.equal(
      installed.compile({ ...browser, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }),
      '',
    )
  })

  test('no longer compiles if a parameter is renamed, and names the new one', () => {
    const renamed = parameters.map((each) => (each.name === 'headline' ? { ...each, name: 'title' } : each))
    installed.write('workflows.d.ts', typesOf([{ ...linkCard, inputSchema: inputSchemaOf(renamed) }, plain]))
    const printed = installed.compile({ lib: ['es2022'], types: ['node'] })
    assert.match(printed, /program\.ts\(\d+,\d+\): error TS\d+:.*headline/)
    assert.match(printed, /title/)
    const unused = printed.split('\n').filter((line) => line.startsWith('generic'))
    assert.deepEqual(unused, [])
  })
})

test('the types have the descriptions, formats and defaults of the parameters', () => {
  const text = typesOf([linkCard])
  assert.match(text, /\/\*\* Link card: A card for links\. \*\/\n {4}"link-card": \{/)
  assert.match(text, /\/\*\* Ends \* \/ here, not there \*\/\n {8}headline: string\n/)
  assert.match(text, /\/\*\* Format: image\. \*\/\n {8}photo\?: string \| null\n/)
  assert.match(text, /\/\*\* Default: 300\. \*\/\n {8}width\?: number \| null\n/)
  assert.match(text, /style\?: "warm" \| "cold" \| null/)
})
