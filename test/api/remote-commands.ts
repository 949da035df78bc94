/** The `tintype` command on a service over HTTP. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Command } from 'commander'
import { type CliOptions, createProgram } from '../../src/cli/program.ts'
import { area, fullOnly } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type Client, ok } from '../harness/client.ts'
import { runAny } from '../harness/commands.ts'
import { canvas, scale } from '../harness/documents.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import type { Execution, Workflow } from '../harness/types.ts'
import { upload } from '../harness/workflows.ts'

area('commands on a service', { dependsOn: 'database and store' }, () => {
  let tenant: Tenant
  let api: Client
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
  })
  after(() => rmSync(folder, { recursive: true }))

  /** The names of the commands that ran. */
  const used = new Set<string>()
  const program = createProgram({ version: '' } as CliOptions, () => {})

  function target(): string[] {
    return ['--url', api.service.origin, '--key', String(api.key)]
  }

  /** Runs a command on the service, and returns its JSON. */
  async function json<Printed>(...args: string[]): Promise<Printed> {
    const ran = await onService(...args, '--json')
    assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.stderr}${ran.stdout}`)
    return JSON.parse(ran.stdout) as Printed
  }

  async function onService(...args: string[]) {
    used.add(nameIn(program, args))
    return runAny(api.service, ...args, ...target())
  }

  const file = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }

  test('workflows are validated, applied, listed, shown, executed and deleted', async () => {
    const card = file('scale.yaml', JSON.stringify({ ...scale(), slug: 'remote-scale' }))
    const [valid] = await json<{ valid: boolean }[]>('workflows', 'validate', card)
    assert.equal(valid?.valid, true)
    const [applied] = await json<{ id: string; outcome: string; version: number }[]>('workflows', 'apply', card)
    assert.deepEqual([applied?.outcome, applied?.version], ['created', 1])
    const [again] = await json<{ outcome: string }[]>('workflows', 'apply', card)
    assert.equal(again?.outcome, 'unchanged')
    const id = applied?.id ?? ''
    const [listed] = await json<Workflow[]>('workflows', 'list', '--search', 'scale')
    assert.equal(listed?.id, id)
    assert.deepEqual(await json('workflows', 'show', 'remote-scale'), ok(await api.get(`/workflows/${id}`)))
    assert.deepEqual(await json('workflows', 'export', id), { slug: 'remote-scale', ...scale() })

    const photo = await upload(api, await plain('png', 80, 60))
    const out = path.join(folder, 'out.png')
    const params = ['--param', `source=${photo.id}`, '--param', 'width=32']
    const done = await json<Execution>('workflows', 'run', 'remote-scale', ...params, '--output', out)
    assert.deepEqual([done.status, done.output?.width], ['completed', 32])
    assert.equal((await sizeOf(readFileSync(out))).width, 32)
    const record = ok(await api.get<Execution>(`/workflows/executions/${done.executionId}`))
    assert.deepEqual(await json('executions', 'show', done.executionId), record)
    assert.deepEqual(await json('executions', 'list', '--workflow', 'remote-scale'), [record])
    const cancelled = await onService('executions', 'cancel', done.executionId, '--json')
    assert.equal(cancelled.code, 0, 'an execution that has ended stays as it is')

    const wide = file('wider.yaml', JSON.stringify({ ...canvas({ width: 9 }), examples: [{ name: 'one' }] }))
    const one = ok(await api.post<Workflow>('/workflows', { ...canvas(), examples: [{ name: 'one' }] }), 201)
    const [changed] = await json<{ result: string }[]>('diff', one.id, wide)
    assert.equal(changed?.result, 'resized')
    const { url } = await json<{ url: string }>('workflows', 'open', 'remote-scale')
    assert.equal(url, `${api.service.origin}/workflows/${id}`)
    assert.deepEqual(await json('workflows', 'slug', id), { id, name: 'Scale', slug: null })
    const types = await json<{ types: string }>('types', id)
    assert.match(types.types, /width/)
    assert.deepEqual(await json('workflows', 'delete', id), { id, deleted: true })
    assert.equal((await api.get(`/workflows/${id}`)).status, 404)
  })

  fullOnly('a draft is published, and channels are moved', async () => {
    const { id } = ok(await api.post<Workflow>('/workflows', canvas()), 201)
    ok(await api.put(`/workflows/${id}/draft`, { document: canvas({ width: 7 }) }), 201)
    const published = await json<{ version: number }>(
      'workflows',
      'publish',
      id,
      '--note',
      'Wider',
      '--channel',
      'live',
    )
    assert.equal(published.version, 2)
    const channel = (...args: string[]) => json<Record<string, unknown>>('workflows', 'channel', ...args)
    assert.deepEqual(await channel('list', id), [ok(await api.get(`/workflows/${id}/channels/live`))])
    assert.equal((await channel('set', id, 'live', '1')).version, 1)
    assert.equal((await channel('rollback', id, 'live')).version, 2)
    assert.equal((await json<object[]>('workflows', 'channel', 'history', id, 'live')).length, 3)
    assert.deepEqual(await channel('delete', id, 'live'), { name: 'live', deleted: true })
  })

  test('images are uploaded, listed, downloaded and deleted, and a missing file uploads nothing', async () => {
    const bytes = await plain('png', 12, 9)
    const photo = file('photo.png', bytes)
    const missing = path.join(folder, 'none.png')
    const refused = await onService('images', 'upload', photo, missing)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /none\.png.*can't be read \(ENOENT\)/)
    const [uploaded] = await json<{ id: string }[]>('images', 'upload', photo)
    const id = uploaded?.id ?? ''
    const found = await json<{ id: string }[]>('images', 'list', '--search', 'photo.png')
    assert.deepEqual(
      found.map((each) => each.id),
      [id],
    )
    assert.deepEqual(await json('images', 'show', id), ok(await api.get(`/storage/images/${id}`)))
    const copy = path.join(folder, 'copy.png')
    assert.equal((await json<{ bytes: number }>('images', 'download', id, '--output', copy)).bytes, bytes.length)
    assert.deepEqual(readFileSync(copy), bytes)
    assert.deepEqual(await json('images', 'delete', id), [{ id, deleted: true }])
  })

  fullOnly(
    'projects, webhooks, fonts, brand values, usage, the audit log and SVG files are those of the API',
    async () => {
      const project = await json<{ id: string }>('projects', 'create', '--name', 'Remote')
      assert.deepEqual(await json('projects', 'show', project.id), ok(await api.get(`/projects/${project.id}`)))
      assert.ok((await json<{ id: string }[]>('projects', 'list')).some(({ id }) => id === project.id))
      assert.equal((await json<{ deleted: boolean }>('projects', 'delete', project.id)).deleted, true)

      const endpoint = await json<{ id: string; secret: string }>('webhooks', 'create', 'http://localhost:1/hook')
      const ids = (items: { id: string }[]) => items.map(({ id }) => id)
      assert.deepEqual(ids(await json('webhooks', 'list')), [endpoint.id])
      assert.notEqual((await json<{ secret: string }>('webhooks', 'rotate', endpoint.id)).secret, endpoint.secret)
      const delivery = await json<{ id: string }>('webhooks', 'test', endpoint.id)
      assert.deepEqual(ids(await json('webhooks', 'deliveries', '--endpoint', endpoint.id)), [delivery.id])
      assert.equal((await json<{ id: string }>('webhooks', 'replay', delivery.id)).id, delivery.id)
      assert.deepEqual(await json('webhooks', 'delete', endpoint.id), { id: endpoint.id, deleted: true })

      const font = path.join(import.meta.dirname, '../../node_modules/@fontsource-variable/noto-sans-lao/files')
      const [added] = await json<{ id: string }[]>('fonts', 'add', `${font}/noto-sans-lao-lao-wght-normal.woff2`)
      assert.deepEqual(ids(await json('fonts', 'list')), [added?.id])
      assert.equal((await json<{ deleted: boolean }>('fonts', 'remove', added?.id ?? '')).deleted, true)

      const brand = file('brand.yaml', 'values: { primary: { type: color, value: teal } }')
      await json('brand', 'apply', brand)
      assert.deepEqual(await json('brand', 'export'), {
        values: ok(await api.get<{ values: object }>('/brand')).values,
      })

      const svg = path.join(import.meta.dirname, '../svg-import/samples/figma-photo.svg')
      const imported = await json<{ workflowId: string }>('import-svg', svg)
      ok(await api.get(`/workflows/${imported.workflowId}`))
      const usage = await json<{ totals: object }>('usage')
      assert.deepEqual(usage.totals, ok(await api.get<{ totals: object }>('/usage')).totals)
      const [entry] = await json<{ action: string; actor: { type: string } }[]>('audit', '--limit', '1')
      assert.deepEqual([entry?.action, entry?.actor.type], ['workflow.create', 'key'])
      const { stdout } = await onService('audit', '--csv')
      assert.match(stdout, /workflow\.create/)
    },
  )

  fullOnly('a batch is created, followed, listed and downloaded', async () => {
    const sized = { ...canvas(), parameters: [{ name: 'size', type: 'number' }] }
    const { id } = ok(await api.post<Workflow>('/workflows', sized), 201)
    const rows = file('rows.csv', 'key,size\na,1\nb,2\n')
    const out = path.join(folder, 'results.csv')
    const ran = await json<{ batch: string; completed: number }>(
      ...['batch', rows, '--workflow', id, '--format', 'csv', '--out', out],
    )
    assert.equal(ran.completed, 2)
    assert.match(readFileSync(out, 'utf8'), /^key,status,[^\n]*\r\na,completed,/)
    const json2 = file('rows.json', JSON.stringify([{ key: 'c', size: 3 }]))
    const other = await json<{ completed: number }>('batch', json2, '--workflow', id, '--out', `${out}.zip`)
    assert.equal(other.completed, 1)
    const batches = await json<{ id: string; status: string }[]>('batches', 'list', '--workflow', id)
    assert.equal(batches.length, 2)
    assert.equal((await json<{ id: string }>('batches', 'show', ran.batch)).id, ran.batch)
    assert.equal((await json<{ status: string }>('batches', 'follow', ran.batch)).status, 'completed')
    const again = await json<{ results: string[] }>('batches', 'results', ran.batch, '--format', 'ndjson', '--out', out)
    assert.deepEqual(again.results, [out])
    for (const name of ['pause', 'resume', 'cancel']) {
      const refused = await onService('batches', name, ran.batch, '--json')
      const { id: same, error } = JSON.parse(refused.stdout) as { id?: string; error?: { code: string } }
      assert.ok(same === ran.batch || error?.code === 'invalid_request', refused.stdout)
    }
    assert.deepEqual(await json('batches', 'delete', ran.batch), { id: ran.batch, deleted: true })
  })

  fullOnly('each command that works on a service was tested on one', () => {
    const expected = leaves(program)
      .filter(({ options }) => options.some(({ long }) => long === '--local'))
      .map(nameOf)
    assert.ok(expected.length > 40)
    assert.deepEqual(
      expected.filter((name) => !used.has(name)),
      [],
    )
  })

  test('a command prints the same records of the service and of the database', async () => {
    ok(await api.post<Workflow>('/workflows', canvas()), 201)
    for (const args of [
      ['workflows', 'list'],
      ['executions', 'list'],
      ['projects', 'list'],
    ]) {
      const local = await tintype(api.service, ...args, '--local', '--account', tenant.accountId, '--json')
      assert.deepEqual(JSON.parse(local.stdout), await json(...args), args.join(' '))
    }
  })

  test('a change names the service on standard error, a query does not, and --account is for the database', async () => {
    const name = `Service: ${api.service.origin}\n`
    const created = await onService('projects', 'create', '--name', 'Named')
    assert.deepEqual([created.code, created.stderr], [0, name])
    assert.equal((await onService('projects', 'list')).stderr, '')
    const refused = await onService('projects', 'list', '--account', tenant.accountId)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /--account.*Pass --local for the database/)
  })
})

/** Commands without subcommands. */
function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}

function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

/** The name of the command in its arguments. */
function nameIn(program: Command, args: readonly string[]): string {
  let command = program
  for (const word of args) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) break
    command = next
  }
  return nameOf(command)
}
