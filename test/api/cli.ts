/** The `tintype` command next to a running service. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import { generated, never, openTestCredentials } from '../../src/credentials/testing.ts'
import { area, fullOnly } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, ok } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { newAccount, type Tenant } from '../harness/shared.ts'
import type { Execution, Verified, Workflow, Workflows } from '../harness/types.ts'
import { upload } from '../harness/workflows.ts'

area('the command next to a running service', { dependsOn: 'database and store' }, () => {
  let tenant: Tenant
  let api: Client
  before(async () => {
    tenant = await newAccount()
    api = tenant.api
  })

  fullOnly('a batch runs on the service, and its results are downloaded', async () => {
    const { api } = await newAccount()
    const { dataDir, origin } = api.service
    const { id } = ok(
      await api.post<Workflow>('/workflows', { ...canvas(), parameters: [{ name: 'size', type: 'number' }] }),
      201,
    )
    const environment = { TINTYPE_URL: origin, TINTYPE_API_KEY: String(api.key) }
    const batch = (...args: string[]) => tintype({ dataDir, environment }, 'batch', ...args)
    const file = path.join(dataDir, 'rows of a batch.csv')
    writeFileSync(file, 'key,size\na,1\nb,2\n')
    const out = path.join(dataDir, 'results of a batch.csv')
    const ran = await batch(file, '--workflow', `${id}@1`, '--format', 'csv', '--out', out, '--json')
    assert.equal(ran.code, 0, ran.stderr)
    const { completed, results } = JSON.parse(ran.stdout) as { completed: number; results: string }
    assert.deepEqual([completed, results], [2, out])
    assert.match(readFileSync(out, 'utf8'), /^key,status,[^\n]*\r\na,completed,[^\n]*\r\nb,completed,/)
    const estimate = JSON.parse((await batch(file, '--workflow', id, '--estimate', '--json')).stdout) as {
      rows: number
    }
    assert.equal(estimate.rows, 2)
    writeFileSync(file, 'key,sise\na,1\n')
    const wrong = await batch(file, '--workflow', id)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /line 1, sise: is not a known column.*Did you mean "size"/)
    const elsewhere = await batch(file, '--workflow', id, '--url', 'http://127.0.0.1:1')
    assert.match(elsewhere.stderr, /can't be reached/)
    const { total } = ok(await api.get<{ total: number }>('/batches', { workflowId: id }))
    assert.equal(total, 1, 'batches that were not started are deleted')
  })

  fullOnly('writes the same types of workflows from a service, its records and files', async () => {
    const { api, accountId } = await newAccount()
    const { dataDir, origin } = api.service
    const folder = mkdtempSync(path.join(dataDir, 'types-'))
    const document = {
      name: 'Typed',
      slug: 'typed-card',
      parameters: [{ name: 'headline', type: 'string', required: true, description: 'Of the card.' }],
      nodes: { card: { type: 'canvas', params: { width: 9, height: '{{ headline | size }}' } } },
      output: { node: 'card' },
      outputs: { small: { node: 'card', format: 'webp' } },
    }
    const { id } = ok(await api.post<Workflow>('/workflows', document), 201)
    ok(await api.post<Workflow>('/workflows', { ...canvas(), name: 'Plain' }), 201)
    const environment = { TINTYPE_API_KEY: String(api.key) }
    const types = (...args: string[]) => tintype({ dataDir, environment }, 'types', ...args)

    const ofRecords = await types('--account', accountId)
    assert.deepEqual([ofRecords.code, ofRecords.stderr], [0, ''])
    assert.match(ofRecords.stdout, /"typed-card": \{[^}]*headline: string\n[^}]*\}\n {6}outputs: "small"/)
    assert.ok(ofRecords.stdout.includes(`"${id}": Workflows["typed-card"]`))
    assert.equal(ofRecords.stdout.match(/parameters: /g)?.length, 2)
    const ofService = await types('--url', origin)
    assert.equal(ofService.stdout, ofRecords.stdout)

    writeFileSync(path.join(folder, 'card.json'), JSON.stringify(document))
    const file = path.join(folder, 'workflows.d.ts')
    const written = await types('--folder', folder, '--output', file, '--json')
    assert.deepEqual(JSON.parse(written.stdout), { file, workflows: 1 })
    const one = await types('typed-card', '--account', accountId)
    assert.equal(readFileSync(file, 'utf8'), one.stdout.replace(/\n.*Workflows\["typed-card"\]/, ''))

    writeFileSync(path.join(folder, 'plain.json'), JSON.stringify(canvas()))
    for (const [args, problem] of [
      [['--folder', folder], /plain\.json: has no slug/],
      [['--folder', path.join(folder, 'none')], /must be a readable folder/],
      [['--folder', folder, 'other'], /no workflow with the slug other/],
      [['other', '--account', accountId], /"other" was not found/],
      [['other', '--url', origin], /"other" was not found/],
      [['--url', origin, '--key', 'tt_live_wrong'], /key/],
      [['typed-card', '--account', accountId, '--output', folder], /can't be written \(EISDIR\)/],
    ] as const) {
      const { code, stderr } = await types(...args)
      assert.equal(code, 1, stderr)
      assert.match(stderr, problem)
    }
  })

  fullOnly(
    'a command on a folder without records fails, names the setting and the folder, and creates nothing',
    async () => {
      const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
      const archive = path.join(api.service.dataDir, 'mistyped.tar')
      const commands = [
        'accounts list',
        'accounts set-plan acct_x pro',
        'keys list',
        'keys revoke key_x',
        'usage',
        'workflows export wf_x',
        'workflows run wf_x',
        'fonts list',
        'diff wf_x@1 wf_x@2',
        `export ${archive}`,
      ]
      for (const command of commands) {
        const { code, stdout, stderr } = await tintype({ dataDir }, ...command.split(' '))
        assert.deepEqual([code, stdout], [2, ''], command)
        assert.match(stderr, /DATA_DIR must be the folder of a service/, command)
        assert.ok(stderr.includes(dataDir), command)
        assert.deepEqual(readdirSync(dataDir), [], command)
      }
      assert.ok(!existsSync(archive) && !existsSync(`${archive}.part`))
      await tintypeJson({ dataDir }, 'accounts', 'create', '--name', 'First', '--plan', 'pro')
      assert.equal((await tintypeJson<unknown[]>({ dataDir }, 'accounts', 'list')).length, 1)
      rmSync(dataDir, { recursive: true })
    },
  )

  test('accounts create prints id, name, plan and rate limit of a new account, and accounts list lists it', async () => {
    const created = await tintypeJson<Record<string, unknown>>(
      api.service,
      'accounts',
      'create',
      '--name',
      'Bakery',
      '--plan',
      'enterprise',
      '--rate-limit',
      '500',
    )
    assert.match(String(created.id), /^acct_[0-9a-z]{20,}$/)
    assert.deepEqual([created.name, created.plan, Object.values(created).includes(500)], ['Bakery', 'enterprise', true])
    const listed = JSON.stringify(await tintypeJson(api.service, 'accounts', 'list'))
    assert.ok(listed.includes(String(created.id)) && listed.includes(tenant.accountId))
  })

  test('verify prints who signed a file, needs no records, and fails if it has changed since', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
    const credentials = openTestCredentials()
    const image = { format: 'png' as const, bytes: await plain('png', 64, 64) }
    const { bytes } = await credentials.sign(image, generated, { signal: never })
    await credentials.close()
    const files = {
      signed: bytes,
      changed: Buffer.concat([bytes, Buffer.from('x')]),
      unsigned: image.bytes,
      text: 'hello',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
    const verify = (...args: string[]) => tintype({ dataDir: folder }, 'verify', ...args)
    const signed = await verify('signed')
    assert.equal(signed.code, 0)
    assert.match(signed.stdout, /^Valid: .*\n.*signingCredential\.untrusted.*\n {2}Signed by {4}Tintype development/)
    const { credentials: report } = await tintypeJson<Verified>({ dataDir: folder }, 'verify', 'signed')
    assert.equal(report?.state, 'valid')
    assert.deepEqual([(await verify('changed')).code, (await verify('unsigned')).code], [1, 1])
    for (const name of ['text', 'missing']) {
      const { code, stderr } = await verify(name)
      assert.equal(code, 1)
      assert.match(stderr, name === 'text' ? /is not an image in a known format/ : /missing.* can't be read \(ENOENT\)/)
    }
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(files).sort())
    rmSync(folder, { recursive: true })
  })

  fullOnly('without --json a readable table is printed', async () => {
    const { code, stdout } = await tintype(api.service, 'accounts', 'list')
    assert.equal(code, 0)
    assert.ok(stdout.includes(tenant.accountId))
    assert.throws(() => JSON.parse(stdout))
  })

  test('keys list shows the first 12 characters of a key, never the entire key', async () => {
    const key = String(api.key)
    const { stdout } = await tintype(api.service, 'keys', 'list', '--json')
    assert.ok(stdout.includes(key.slice(0, 12)))
    assert.ok(!stdout.includes(key.slice(0, 20)))
  })

  fullOnly('an unknown plan, an unknown account and an invalid duration are rejected', async () => {
    for (const args of [
      ['accounts', 'create', '--name', 'x', '--plan', 'gold'],
      ['accounts', 'set-plan', 'acct_00000000000000000000', 'pro'],
      ['keys', 'create', '--account', tenant.accountId, '--expires-in', 'soon'],
      ['accounts', 'create', '--name', 'x', '--plan', 'enterprise', '--rate-limit', '1.5'],
      ['fly'],
    ]) {
      const ran = await tintype(api.service, ...args)
      assert.notEqual(ran.code, 0, args.join(' '))
      assert.notEqual(ran.stderr, '', args.join(' '))
      assert.doesNotMatch(ran.stderr, /\n {4}at /, 'a sentence, not a stack')
    }
  })

  test('workflows apply saves a file, applying it again creates no version, and export writes it', async () => {
    const file = path.join(api.service.dataDir, 'scale.yaml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(scale()))
    await tintypeJson(api.service, 'workflows', 'apply', file, '--account', tenant.accountId)
    await tintypeJson(api.service, 'workflows', 'apply', file, '--account', tenant.accountId)
    const { workflows, total } = ok(await api.get<Workflows>('/workflows'))
    assert.deepEqual([total, workflows[0]?.name], [1, 'Scale'])
    const id = workflows[0]?.id ?? ''
    assert.equal(ok(await api.get<{ total: number }>(`/workflows/${id}/versions`)).total, 1)
    assert.deepEqual(await tintypeJson<Document>(api.service, 'workflows', 'export', id), scale())
    assert.equal(ok(await api.get<Workflow>(`/workflows/${id}`)).name, 'Scale')
  })

  fullOnly(
    'workflows apply saves used files first, and export writes them, so that applying them again changes nothing',
    async () => {
      const folder = path.join(api.service.dataDir, 'used')
      mkdirSync(folder)
      const dot = (color: string) => ({ ...canvas({ color }), name: 'Dot', slug: 'dot' })
      const using = (workflow: string) => ({
        name: 'Using dots',
        nodes: { dot: { type: 'workflow', workflow } },
        output: { node: 'dot', format: 'png' },
      })
      writeFileSync(path.join(folder, 'dot.yaml'), JSON.stringify(dot('red')))
      writeFileSync(path.join(folder, 'using.yaml'), JSON.stringify(using('./dot.yaml')))
      const apply = (file: string) =>
        tintypeJson<{ id: string; outcome: string; version: number; name: string }[]>(
          api.service,
          'workflows',
          'apply',
          path.join(folder, file),
          '--account',
          tenant.accountId,
        )
      const applied = await apply('using.yaml')
      assert.deepEqual(
        applied.map(({ name, outcome, version }) => [name, outcome, version]),
        [
          ['Dot', 'created', 1],
          ['Using dots', 'created', 1],
        ],
      )
      const [dots, user] = applied.map(({ id }) => id)
      assert.deepEqual(ok(await api.get<Document>(`/workflows/${user}/document`)), using('dot@1'))
      ok(await api.put(`/workflows/${dots}`, { ...canvas({ color: 'blue' }), name: 'Dot' }))

      const exported = path.join(folder, 'exported')
      const files = await tintypeJson<{ file: string }[]>(
        api.service,
        'workflows',
        'export',
        user ?? '',
        '--folder',
        exported,
        '--account',
        tenant.accountId,
      )
      assert.deepEqual(
        files.map(({ file }) => path.basename(file)),
        ['dot@1.yaml', `${user}.yaml`],
      )
      // Version 1 of the used workflow is found, although version 2 is newer.
      const again = await apply(`exported/${user}.yaml`)
      assert.deepEqual(
        again.map(({ outcome, version }) => [outcome, version]),
        [
          ['unchanged', 1],
          ['unchanged', 1],
        ],
      )
      ok(await api.delete(`/workflows/${user}`))
      ok(await api.delete(`/workflows/${dots}`))
    },
  )

  fullOnly('workflows apply uploads the images that examples name next to the file, once', async () => {
    const file = path.join(api.service.dataDir, 'with-examples.yaml')
    writeFileSync(path.join(api.service.dataDir, 'example.png'), await plain('png', 12, 9))
    const examples = [
      { name: 'one', parameters: { source: './example.png' } },
      { name: 'two', parameters: { source: './example.png', width: 5 } },
    ]
    writeFileSync(file, JSON.stringify({ ...scale(), name: 'With examples', examples }))
    const [applied] = await tintypeJson<{ id: string }[]>(
      api.service,
      'workflows',
      'apply',
      file,
      '--account',
      tenant.accountId,
    )
    const saved = ok(await api.get<Document & { examples: typeof examples }>(`/workflows/${applied?.id}/document`))
    const [one, two] = saved.examples.map(({ parameters }) => parameters.source)
    assert.match(one ?? '', /^img_/)
    assert.equal(two, one)
    ok(await api.delete(`/workflows/${applied?.id}`))
  })

  fullOnly('workflows apply uploads each image of a list with one name per line, and keeps empty lines', async () => {
    const file = path.join(api.service.dataDir, 'with-list.yaml')
    writeFileSync(path.join(api.service.dataDir, 'another.png'), await plain('png', 9, 12))
    const photos = './example.png\n\n./another.png\n./example.png'
    const parameters = [
      { name: 'photos', type: 'string', default: photos },
      { name: 'text', type: 'string', default: './example.png\nor not' },
    ]
    const nodes = {
      photos: {
        type: 'image',
        each: '{{ photos | split: "\n" }}',
        params: { source: '{{ item }}' },
      },
      all: { type: 'grid', inputs: { images: 'photos' } },
    }
    writeFileSync(file, JSON.stringify({ name: 'With a list', parameters, nodes, output: { node: 'all' } }))
    const [applied] = await tintypeJson<{ id: string }[]>(
      api.service,
      'workflows',
      'apply',
      file,
      '--account',
      tenant.accountId,
    )
    const saved = ok(await api.get<{ parameters: { default: string }[] }>(`/workflows/${applied?.id}/document`))
    const [list, text] = saved.parameters.map((each) => each.default)
    const [one = '', none, two, again] = list?.split('\n') ?? []
    assert.match(one, /^img_/)
    assert.match(two ?? '', /^img_/)
    assert.notEqual(two, one)
    assert.deepEqual([none, again], ['', one])
    assert.equal(text, './example.png\nor not')
    ok(await api.delete(`/workflows/${applied?.id}`))
  })

  fullOnly(
    'workflows apply replaces paths in typed values, and workflows run accepts JSON and booleans as text',
    async () => {
      const file = path.join(api.service.dataDir, 'typed.yaml')
      writeFileSync(path.join(api.service.dataDir, 'first.png'), await plain('png', 11, 12))
      const photos = {
        type: 'array',
        items: { type: 'object', properties: { photo: { type: 'string', format: 'image' } } },
      }
      const parameters = [
        { name: 'photos', type: 'string', format: 'json', schema: photos, default: [{ photo: './first.png' }] },
        { name: 'cover', type: 'string', format: 'image', default: './first.png' },
        { name: 'wide', type: 'string', format: 'boolean', default: false },
      ]
      const nodes = {
        photos: { type: 'image', each: '{{ photos }}', params: { source: '{{ item.photo }}' } },
        cover: { type: 'image', params: { source: '{{ cover }}' } },
        all: {
          type: 'stack',
          inputs: { images: ['cover', 'photos'] },
          params: { direction: '{% if wide %}horizontal{% else %}vertical{% endif %}' },
        },
      }
      const examples = [{ name: 'two', parameters: { photos: [{ photo: './first.png' }, { photo: './first.png' }] } }]
      const document = { name: 'Typed', parameters, nodes, output: { node: 'all', format: 'png' }, examples }
      writeFileSync(file, JSON.stringify(document))
      const args = ['workflows', 'apply', file, '--account', tenant.accountId]
      const [applied] = await tintypeJson<{ id: string }[]>(api.service, ...args)
      const id = applied?.id ?? ''
      const saved = ok(await api.get<typeof document>(`/workflows/${id}/document`))
      const cover = String(saved.parameters[1]?.default)
      assert.match(cover, /^img_/)
      assert.deepEqual(saved.parameters[0]?.default, [{ photo: cover }])
      assert.deepEqual(saved.examples[0]?.parameters.photos, [{ photo: cover }, { photo: cover }])
      const run = ['workflows', 'run', id, '--param', `photos=[{"photo":"${cover}"}]`, '--param', 'wide=true']
      const { output } = await tintypeJson<Execution>(api.service, ...run)
      assert.deepEqual([output?.width, output?.height], [22, 12])
      ok(await api.delete(`/workflows/${id}`))
    },
  )

  fullOnly('workflows apply prints the warnings of each file', async () => {
    const file = path.join(api.service.dataDir, 'branded.yaml')
    const ink = 'fill: { type: canvas, params: { width: 9, height: 9, color: "{{ brand.ink }}" } }'
    writeFileSync(file, `name: Branded\nnodes: { ${ink} }\noutput: { node: fill, format: png }\n`)
    const args = ['workflows', 'apply', file, '--account', tenant.accountId]
    const ran = await tintype(api.service, ...args)
    assert.equal(ran.code, 0)
    assert.match(ran.stderr, /branded\.yaml: nodes\.fill\.params\.color: .*"ink"/)
    assert.doesNotMatch(ran.stdout, /ink/)
    // Also of a file that is saved already.
    const [again] = await tintypeJson<{ id: string; warnings?: { path: string }[] }[]>(api.service, ...args)
    assert.deepEqual(
      again?.warnings?.map(({ path }) => path),
      ['nodes.fill.params.color'],
    )
    ok(await api.delete(`/workflows/${again?.id}`))
  })

  fullOnly('workflows apply of an invalid file reports every issue with its path, and saves nothing', async () => {
    const file = path.join(api.service.dataDir, 'wrong.yaml')
    writeFileSync(
      file,
      'name: Wrong\nnodes: { a: { type: resise }, b: { type: canvas, params: { width: 0, height: 5 } } }\noutput: { node: c }\n',
    )
    const { total } = ok(await api.get<Workflows>('/workflows'))
    const ran = await tintype(api.service, 'workflows', 'apply', file, '--account', tenant.accountId)
    assert.notEqual(ran.code, 0)
    for (const invalidPath of ['nodes.a.type', 'nodes.b.params.width', 'output.node'])
      assert.ok(ran.stderr.includes(invalidPath), ran.stderr)
    assert.equal(ok(await api.get<Workflows>('/workflows')).total, total)
  })

  test('workflows run executes with parameters and prints the output', async () => {
    const photo = await upload(api, await plain('png', 80, 60))
    const { workflows } = ok(await api.get<Workflows>('/workflows'))
    const id = workflows.find((each) => each.name === 'Scale')?.id ?? ''
    const args = ['workflows', 'run', id, '--param', `source=${photo.id}`, '--param', 'width=32']
    const done = await tintypeJson<Execution>(api.service, ...args)
    const { url = '', width, height, format } = done.output ?? {}
    assert.deepEqual([done.status, width, height, format], ['completed', 32, 24, 'png'])
    assert.equal((await sizeOf((await api.root('GET', new URL(url).pathname)).bytes)).width, 32)
    const record = ok(await api.get<Execution>(`/workflows/executions/${done.executionId}`))
    assert.deepEqual([record.status, record.workflowId], ['completed', id])
  })

  fullOnly(
    'workflows apply finds a workflow by the slug of the file, also under another name, and export writes it',
    async () => {
      const file = path.join(api.service.dataDir, 'slug.yaml')
      const apply = async (fields: object, ...more: string[]) => {
        writeFileSync(file, JSON.stringify({ ...canvas(), ...fields }))
        const args = ['workflows', 'apply', file, '--account', tenant.accountId, ...more]
        const [applied] = await tintypeJson<{ id: string; version: number; outcome: string; channel?: string }[]>(
          api.service,
          ...args,
        )
        return applied
      }
      const first = await apply({ name: 'First name', slug: 'by-slug' }, '--channel', 'staging')
      assert.deepEqual([first?.outcome, first?.version, first?.channel], ['created', 1, 'staging'])
      const renamed = { ...canvas({ width: 9 }), name: 'Second name', slug: 'by-slug' }
      assert.deepEqual(await apply(renamed), {
        file,
        id: first?.id,
        name: 'Second name',
        version: 2,
        outcome: 'updated',
      })
      const exported = await tintypeJson(api.service, 'workflows', 'export', 'by-slug', '--account', tenant.accountId)
      assert.deepEqual(exported, renamed)
      const { channels } = ok(await api.get<{ channels: object[] }>(`/workflows/${first?.id}/channels`))
      assert.deepEqual(
        channels.map((each) => ({ ...each, movedAt: '' })),
        [{ name: 'staging', version: 1, movedAt: '' }],
      )
      writeFileSync(file, JSON.stringify({ ...canvas(), slug: 'Wrong_1' }))
      const ran = await tintype(api.service, 'workflows', 'apply', file, '--account', tenant.accountId)
      assert.equal(ran.code, 1)
      assert.match(ran.stderr, /slug: must be a slug/)
    },
  )

  test('channels, brand values, webhook endpoints and imported SVG files of commands are those of the API', async () => {
    const { id } = ok(await api.post<Workflow>('/workflows', canvas()), 201)
    ok(await api.put('/brand', { values: { primary: { type: 'color', value: 'teal' } } }))
    const account = ['--account', tenant.accountId]
    const command = <Printed>(...args: string[]) => tintypeJson<Printed>(api.service, ...args, ...account)
    const svg = path.join(import.meta.dirname, '../svg-import/samples/figma-photo.svg')
    const [moved, brand, endpoint, imported] = await Promise.all([
      command<{ version: number }>('workflows', 'channel', 'set', id, 'live', '1'),
      command<object>('brand', 'export'),
      command<{ id: string }>('webhooks', 'create', 'http://localhost:1/hook'),
      command<{ workflowId: string }>('import-svg', svg),
    ])
    assert.equal(ok(await api.get<{ version: number }>(`/workflows/${id}/channels/live`)).version, moved.version)
    assert.deepEqual(brand, { values: ok(await api.get<{ values: object }>('/brand')).values })
    assert.equal(ok(await api.get<{ url: string }>(`/webhook-endpoints/${endpoint.id}`)).url, 'http://localhost:1/hook')
    assert.equal(ok(await api.get<Workflow>(`/workflows/${imported.workflowId}`)).id, imported.workflowId)
    ok(await api.delete(`/webhook-endpoints/${endpoint.id}`))
  })

  fullOnly('channels and slugs are managed by commands, and run and diff accept them', async () => {
    const { id } = ok(await api.post<Workflow>('/workflows', canvas({ width: 4 })), 201)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 5 })))
    const command = <Result>(...args: string[]) => tintypeJson<Result>(api.service, ...args)
    const slug = ['--account', tenant.accountId]
    assert.deepEqual(await command('workflows', 'slug', id, 'by-command'), {
      id,
      name: 'A canvas',
      slug: 'by-command',
    })
    const channel = (...args: string[]) => command<Record<string, unknown>>('workflows', 'channel', ...args)
    assert.equal((await channel('set', id, 'live', '1')).version, 1)
    assert.equal((await channel('set', 'by-command', 'live', '2', ...slug)).version, 2)
    const widthOf = async (...args: string[]) => {
      return (await command<Execution>('workflows', 'run', 'by-command', ...slug, ...args)).output?.width
    }
    assert.deepEqual([await widthOf('--version', '1'), await widthOf('--channel', 'live')], [4, 5])
    const [compared] = await command<{ result: string }[]>('diff', `${id}@1`, `${id}@live`)
    assert.equal(compared?.result, 'resized')
    assert.equal((await channel('rollback', id, 'live')).version, 1)
    assert.equal(await widthOf('--channel', 'live'), 4)
    const history = await command<Record<string, unknown>[]>('workflows', 'channel', 'history', id, 'live')
    assert.deepEqual(
      history.map(({ version, from, rollback, keyId }) => [version, from, rollback, keyId]),
      [
        [1, 2, true, null],
        [2, 1, false, null],
        [1, null, false, null],
      ],
    )
    assert.equal((await command<object[]>('workflows', 'channel', 'list', id)).length, 1)
    assert.deepEqual(await channel('delete', id, 'live'), { name: 'live', deleted: true })
    const unknown = await tintype(api.service, 'workflows', 'run', id, '--channel', 'live')
    assert.deepEqual([unknown.code, unknown.stderr.includes('has no channel')], [1, true])
    assert.equal((await tintype(api.service, 'workflows', 'run', id, '--channel', 'Live')).code, 2)
    assert.equal((await command<{ slug: null }>('workflows', 'slug', id)).slug, null)
  })

  fullOnly('brand values are exported as a file, and a file replaces them and stores its images', async () => {
    const command = (...args: string[]) => tintype(api.service, 'brand', ...args, '--account', tenant.accountId)
    const { id: projectId } = ok(await api.post<{ id: string }>('/projects', { name: 'A client' }), 201)
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
    const file = path.join(folder, 'brand.yaml')
    writeFileSync(path.join(folder, 'logo.png'), await plain('png'))
    const logo = '{ type: image, value: ./logo.png }'
    writeFileSync(file, `values: { logo: ${logo}, primary: { type: color, value: teal, description: Buttons } }`)
    assert.equal((await command('apply', file, '--project', projectId)).code, 0)
    const saved = ok(await api.get<{ values: Record<string, object> }>(`/projects/${projectId}/brand`))
    assert.deepEqual(saved.values.primary, { type: 'color', value: 'teal', description: 'Buttons' })
    assert.match(JSON.stringify(saved.values.logo), /"value":"img_/)
    const { stdout } = await command('export', '--project', projectId)
    writeFileSync(file, stdout)
    assert.equal((await command('apply', file)).code, 0)
    assert.deepEqual(ok(await api.get<{ values: object }>('/brand')).values, saved.values)
    assert.deepEqual(JSON.parse((await command('export', '--json')).stdout), { values: saved.values })
    for (const [text, problem] of [
      ['values: { a: { type: colour, value: teal } }', /brand\.yaml: values\.a\.type: must be one of/],
      ['values: { a: { type: image, value: ./none.png } }', /\.\/none\.png: can't be read \(ENOENT\)/],
      [`values: { a: { type: image, value: img_${'0'.repeat(28)} } }`, /values\.a\.value: .* was not found/],
      ['- a', /brand\.yaml: the file: must be an object/],
    ] as const) {
      writeFileSync(file, text)
      const { code, stderr } = await command('apply', file)
      assert.equal(code, 1)
      assert.match(stderr, problem)
    }
    assert.deepEqual(ok(await api.get<{ values: object }>('/brand')).values, saved.values)
    rmSync(folder, { recursive: true })
  })

  fullOnly('creates, tests, rotates, lists and deletes webhook endpoints', async () => {
    const command = <Printed>(...args: string[]) =>
      tintypeJson<Printed>(api.service, ...args, '--account', tenant.accountId)
    const url = 'http://localhost:1/hook'
    const events = ['--events', 'execution.completed, execution.failed']
    const created = await command<{ id: string; secret: string; events: string }>('webhooks', 'create', url, ...events)
    assert.match(created.secret, /^whsec_/)
    assert.equal(created.events, 'execution.completed,execution.failed')
    const { id } = created
    assert.deepEqual(
      (await command<{ id: string }[]>('webhooks', 'list')).map((each) => each.id),
      [id],
    )
    assert.notEqual(
      (await command<{ secret: string }>('webhooks', 'rotate', id, '--overlap', '1h')).secret,
      created.secret,
    )
    const sent = await command<{ id: string; eventType: string }>('webhooks', 'test', id)
    assert.equal(sent.eventType, 'webhook.test')
    const deliveries = await command<{ id: string }[]>('webhooks', 'deliveries', '--endpoint', id)
    assert.deepEqual(
      deliveries.map((each) => each.id),
      [sent.id],
    )
    assert.equal((await command<{ id: string }>('webhooks', 'replay', sent.id)).id, sent.id)
    assert.equal((await tintype(api.service, 'webhooks', 'create', url, '--events', 'nothing')).code, 2)
    assert.equal((await tintype(api.service, 'webhooks', 'create', 'http://10.0.0.1/')).code, 1)
    assert.deepEqual(await command('webhooks', 'delete', id), { id, deleted: true })
  })

  fullOnly('import-svg saves a workflow with its images, prints a report, and refuses other files', async () => {
    const sample = path.join(import.meta.dirname, '../svg-import/samples/figma-photo.svg')
    const options = ['--account', tenant.accountId]
    const { workflowId, report } = await tintypeJson<{ workflowId: string; report: { became: string }[] }>(
      api.service,
      ...['import-svg', sample, '--name', 'Menu card', ...options],
    )
    assert.ok(report.some(({ became }) => became === 'parameter product-photo'))
    const { parameters, name } = ok(await api.get<Workflow>(`/workflows/${workflowId}`))
    assert.equal(name, 'Menu card')
    assert.match(String(parameters.find((each) => each.name === 'product-photo')?.default), /^img_/)
    const { output } = ok(await api.post<Execution>('/workflows/execute', { workflowId }))
    assert.deepEqual([output?.width, output?.height], [480, 300])
    const dry = await tintype(api.service, 'import-svg', sample, '--dry-run', ...options)
    assert.match(dry.stdout, /default: \.\/product-photo\.jpg/)
    const wrong = await tintype(api.service, 'import-svg', import.meta.filename, ...options)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /can't be imported\. The file is not a valid SVG/)
  })
})
