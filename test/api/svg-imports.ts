/** POST /workflows/import-svg. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { field, file, type Part } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import type { Execution, Images, Workflow } from '../harness/types.ts'

const sample = (name: string) => readFileSync(new URL(`../svg-import/samples/${name}.svg`, import.meta.url))

interface Imported {
  workflow: Workflow & { name: string; parameters: { name: string; default?: unknown }[] }
  report: { layer: string; became: string; note: string }[]
}

area('import of an SVG', {}, () => {
  let tenant: Tenant
  let api: Client
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
  })
  const send = (client: Client, ...parts: Part[]) => client.call<Imported>('POST', '/workflows/import-svg', { parts })

  test('a design with an embedded image becomes a workflow that can be executed, and a report', async () => {
    const reply = await send(api, file(sample('figma-photo'), 'Price tag.svg'))
    const { workflow, report } = ok(reply, 201)
    assert.equal(workflow.name, 'Price tag')
    assert.deepEqual(
      workflow.parameters.map(({ name }) => name),
      ['product-photo', 'name', 'price'],
    )
    const [stored] = ok(await api.get<Images>('/storage/images')).images
    assert.equal(workflow.parameters[0]?.default, stored?.id)
    assert.ok(report.some(({ layer, became }) => layer === 'Price' && became === 'parameter price'))
    assert.ok(String(reply.headers.location).endsWith(`/workflows/${workflow.id}`))
    const body = { workflowId: workflow.id, parameters: { price: '€9.99' } }
    assert.equal(ok(await api.post<Execution>('/workflows/execute', body)).status, 'completed')
  })

  test('SVGZ is read, and the fields name the workflow and its slug', async () => {
    const parts = [
      field('name', 'Named'),
      field('slug', 'named'),
      file(gzipSync(sample('illustrator-brand')), 'a.svgz'),
    ]
    const { workflow } = ok(await send(api, ...parts), 201)
    assert.equal(workflow.name, 'Named')
    assert.equal(ok(await api.get<Workflow>('/workflows/named')).id, workflow.id)
  })

  test('another file, an empty one and unknown fields are refused, and store nothing', async () => {
    const before = ok(await api.get<{ total: number }>('/workflows')).total
    assert.deepEqual(issuePaths(await send(api, file(await plain('png')))), ['file'])
    assert.deepEqual(issuePaths(await send(api, file(Buffer.alloc(0), 'a.svg'))), ['file'])
    assert.deepEqual(issuePaths(await send(api, file(Buffer.from('<svg/>'), 'a.svg'))), ['file'])
    assert.deepEqual(issuePaths(await send(api, field('nope', 'x'), file(sample('figma-center'), 'a.svg'))), ['nope'])
    const unknown = [field('projectId', 'proj_00000000000000000000'), file(sample('figma-center'), 'a.svg')]
    refused(await send(api, ...unknown), 'not_found')
    assert.equal(ok(await api.get<{ total: number }>('/workflows')).total, before)
  })

  test('images need storage:write, and a design without images doesn’t', async () => {
    const writer = api.as((await tenant.key('--permissions', 'workflows:write')).key)
    ok(await send(writer, file(sample('figma-center'), 'a.svg')), 201)
    const details = refused(await send(writer, file(sample('figma-photo'), 'b.svg')), 'forbidden')
    assert.equal(details.permission, 'storage:write')
  })
})
