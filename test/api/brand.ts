/** Brand values: /brand and /projects/{id}/brand, and templates that read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document, naming, scale } from '../harness/documents.ts'
import { pixelAt, plain } from '../harness/pictures.ts'
import { newAccount, secondAccount } from '../harness/shared.ts'
import { deliver, deliveryUrl, newSigningKey } from '../harness/signed-urls.ts'
import type { Execution, Image, Issue, Project, Workflow } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, idInUrl, run, save, upload } from '../harness/workflows.ts'

type Values = Record<string, { type: string; value: string; description?: string }>

interface Brand {
  values: Values
  updatedAt?: string
}

type ProjectBrand = Brand & { projectId: string; inherited: Values }

type Executed = Execution & { brand?: Record<string, string> }

interface Validation {
  valid: boolean
  issues: Issue[]
  warnings: Issue[]
  steps: { node: string; servedFrom: string | null }[]
}

const text = (value: string) => ({ type: 'text', value })
const color = (value: string) => ({ type: 'color', value })

area('brand values', { concurrency: 1 }, () => {
  let api: Client
  let key: Awaited<ReturnType<typeof newAccount>>['key']
  before(async () => {
    ;({ api, key } = await newAccount())
  })
  after(async () => {
    ok(await api.put('/brand', { values: {} }))
  })

  const setBrand = async (values: Values, projectId?: string) =>
    ok(await api.put<ProjectBrand>(projectId === undefined ? '/brand' : `/projects/${projectId}/brand`, { values }))
  const newProject = async () => ok(await api.post<Project>('/projects', { name: 'A client' }), 201).id
  const found = async (executionId: string) => ok(await api.get<Executed>(`/workflows/executions/${executionId}`))
  const execute = async (workflowId: string, parameters: object = {}) =>
    found(ok(await api.post<Executed>('/workflows/execute', { workflowId, parameters })).executionId)
  const nameOf = async (execution: Execution): Promise<string> =>
    ok(await api.get<Image>(`/storage/images/${idInUrl(execution.output?.url ?? '')}`)).name.replace(/\.png$/, '')

  test('the values are returned as they were saved, and a save replaces all of them', async () => {
    const { api } = await newAccount()
    const first = await api.get<Brand>('/brand')
    assert.deepEqual(ok(first), { values: {} })
    assert.equal(first.headers.etag, '"0"')
    const values = {
      primary: { ...color('#0f766e'), description: 'Buttons and headings.' },
      heading: { type: 'font', value: 'Inter' },
      logo: { type: 'image', value: (await upload(api, await plain('png', 8, 8))).id },
      photo: { type: 'image', value: 'https://images.example.com/photo.jpg' },
      slogan: text('Frisch & ‘günstig’\nzweite Zeile'),
      empty: text(''),
    }
    const saved = await api.put<Brand>('/brand', { values })
    assert.deepEqual(ok(saved).values, values)
    assert.match(ok(saved).updatedAt ?? '', /^\d{4}-/)
    assert.equal(saved.headers.etag, '"1"')
    assert.deepEqual(ok(await api.get<Brand>('/brand')), ok(saved))
    assert.deepEqual(ok(await api.put<Brand>('/brand', { values: { a: text('b') } })).values, { a: text('b') })
  })

  test('with If-Match, a save over a newer revision is rejected, and nothing is lost', async () => {
    const projectId = await newProject()
    const path = `/projects/${projectId}/brand`
    const put = (value: string, etag: string) =>
      api.put<ProjectBrand>(path, { values: { a: text(value) } }, { 'if-match': etag })
    refused(await put('one', '"1"'), 'precondition_failed')
    assert.equal((await put('one', '"0"')).headers.etag, '"1"')
    refused(await put('two', '"0"'), 'precondition_failed')
    refused(await api.put('/brand', { values: {} }, { 'if-match': '"999"' }), 'precondition_failed')
    assert.deepEqual(issuePaths(await put('two', 'one')), ['If-Match'])
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => put(`${i}`, '"1"')))
    assert.equal(outcomes.filter(({ status }) => status === 200).length, 1)
    assert.equal((await api.get(path)).headers.etag, '"2"')
    ok(await put('three', '*'))
  })

  const wrong: [what: string, body: unknown, paths: string[]][] = [
    ['no values', {}, ['values']],
    ['a list of values', { values: [] }, ['values']],
    ['an unknown field', { values: {}, color: {} }, ['color']],
    ['a name with a space', { values: { 'a b': text('a') } }, ['values.a b']],
    ['a value without a type', { values: { a: { value: 'a' } } }, ['values.a.type']],
    ['an unknown type', { values: { a: { type: 'number', value: '1' } } }, ['values.a.type']],
    ['a number for a text', { values: { a: { type: 'text', value: 1 } } }, ['values.a.value']],
    ['an unknown field of a value', { values: { a: { ...text('a'), label: 'A' } } }, ['values.a.label']],
    [
      'an invalid colour and an invalid font',
      { values: { a: color('blurple'), b: { type: 'font', value: ' ' } } },
      ['values.a.value', 'values.b.value'],
    ],
    ['a data: URL', { values: { a: { type: 'image', value: 'data:image/png;base64,AAAA' } } }, ['values.a.value']],
    ['an unknown image', { values: { a: { type: 'image', value: `img_${'0'.repeat(28)}` } } }, ['values.a.value']],
    ['U+0000 in a text', { values: { a: text('a\u0000') } }, ['values.a.value']],
    ['a text of 4,097 characters', { values: { a: text('x'.repeat(4_097)) } }, ['values.a.value']],
    [
      '101 values',
      { values: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, text('a')])) },
      ['values'],
    ],
    [
      'more than 65,536 bytes',
      { values: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, text('x'.repeat(4_000))])) },
      ['values'],
    ],
  ]
  for (const [label, body, paths] of wrong) {
    test(`a brand with ${label} is rejected with the path of the problem`, async () => {
      assert.deepEqual(issuePaths(await api.put('/brand', body)), paths)
      const projectId = await newProject()
      assert.deepEqual(issuePaths(await api.put(`/projects/${projectId}/brand`, body)), paths)
    })
  }

  test('a project of another account has no brand, and an image of another account is not found', async () => {
    const other = await secondAccount()
    const projectId = ok(await other.api.post<Project>('/projects', { name: 'Theirs' }), 201).id
    refused(await api.get(`/projects/${projectId}/brand`), 'not_found')
    refused(await api.put(`/projects/${projectId}/brand`, { values: {} }), 'not_found')
    const { id } = await upload(other.api, await plain('png', 8, 8))
    const [issue] =
      refused(await api.put('/brand', { values: { logo: { type: 'image', value: id } } }), 'invalid_request').issues ??
      []
    assert.equal(issue?.path, 'values.logo.value')
    assert.match(issue?.message ?? '', /was not found/)
    ok(await other.api.put('/brand', { values: { secret: text('theirs') } }))
    await setBrand({})
    const workflow = await save(api, naming('{{ brand.secret }}'))
    assert.deepEqual(issuePaths(await api.post('/workflows/execute', { workflowId: workflow.id })), ['output.name'])
  })

  test('a project replaces values of the account, and has the others of it', async () => {
    const projectId = await newProject()
    await setBrand({ name: text('Account'), slogan: text('Of all') })
    const projectBrand = await setBrand({ name: text('Project'), own: text('Own') }, projectId)
    assert.deepEqual(projectBrand, {
      projectId,
      values: { name: text('Project'), own: text('Own') },
      inherited: { slogan: text('Of all') },
      updatedAt: projectBrand.updatedAt,
    })
    const document = naming('{{ brand.name }} {{ brand.slogan | upcase }}')
    const atHome = await save(api, document)
    const inProject = await save(api, document, projectId)
    assert.equal(await nameOf(await execute(atHome.id)), 'Account OF ALL')
    const execution = await execute(inProject.id)
    assert.equal(await nameOf(execution), 'Project OF ALL')
    assert.deepEqual(execution.brand, { name: 'Project', slogan: 'Of all' })
    await setBrand({}, projectId)
    assert.equal(await nameOf(await execute(inProject.id)), 'Account OF ALL')
  })

  test('colours, fonts, images, lists and conditions read brand values', async () => {
    const { id } = await upload(api, await plain('png', 4, 4, '#00ff00'))
    await setBrand({
      paint: color('#0000ff'),
      face: { type: 'font', value: 'Inter' },
      logo: { type: 'image', value: id },
      widths: text('2,3'),
      rounds: text('false'),
      alt: text('Card'),
    })
    const document: Document = {
      name: 'Brand card',
      nodes: {
        bars: {
          type: 'canvas',
          each: '{{ brand.widths | split: "," }}',
          params: { width: '{{ item }}', height: 40, color: '{{ brand.paint }}' },
        },
        row: { type: 'stack', inputs: { images: 'bars' }, params: { direction: 'horizontal' } },
        round: { type: 'round', inputs: { image: 'row' }, params: { radius: 2 }, when: '{{ brand.rounds }}' },
        logo: { type: 'image', params: { source: '{{ brand.logo }}' } },
        card: { type: 'composite', inputs: { image: 'round', overlay: 'logo' }, params: { x: 0, y: 0 } },
        signed: {
          type: 'text',
          inputs: { image: 'card' },
          params: { text: 'A', font: '{{ brand.face }}', size: 8, box: { x: 0, y: 20, width: 5, height: 20 } },
        },
      },
      output: { node: 'signed', format: 'png', name: '{{ brand.alt }}' },
    }
    const { id: workflowId } = await save(api, document)
    const execution = await execute(workflowId)
    const { output, brand } = execution
    assert.deepEqual(brand, { alt: 'Card', face: 'Inter', logo: id, paint: '#0000ff', rounds: 'false', widths: '2,3' })
    assert.deepEqual([output?.width, output?.height], [5, 40])
    const image = await fetchImage(api, output?.url ?? '')
    assert.deepEqual((await pixelAt(image, 1, 1)).slice(0, 3), [0, 255, 0])
    assert.deepEqual((await pixelAt(image, 4, 4)).slice(0, 3), [0, 0, 255])
  })

  test('a used workflow reads the values of the project of the workflow that is executed', async () => {
    const projectId = await newProject()
    await setBrand({ paint: color('#0000ff') })
    await setBrand({ paint: color('#00ff00') }, projectId)
    const used = await save(api, canvas({ color: '{{ brand.paint }}' }))
    const document: Document = {
      name: 'Around',
      nodes: { card: { type: 'workflow', workflow: `${used.id}@1` } },
      output: { node: 'card', format: 'png' },
    }
    const { id } = await save(api, document, projectId)
    const execution = await execute(id)
    assert.deepEqual(execution.brand, { paint: '#00ff00' })
    const image = await fetchImage(api, execution.output?.url ?? '')
    assert.deepEqual((await pixelAt(image, 1, 1)).slice(0, 3), [0, 255, 0])
    await setBrand({}, projectId)
    await setBrand({})
    assert.deepEqual(issuePaths(await api.post('/workflows/execute', { workflowId: id })), [
      'nodes.card/sheet.params.color',
    ])
  })

  test('a missing value is a warning of the save with its path, and an error of the execution', async () => {
    await setBrand({ primary: color('#0f766e') })
    const document = canvas({ color: '{{ brand.primry }}' })
    const saved = ok(await api.post<Workflow & { warnings: Issue[] }>('/workflows', document), 201)
    assert.deepEqual(
      saved.warnings.map(({ path }) => path),
      ['nodes.sheet.params.color'],
    )
    assert.match(saved.warnings[0]?.message ?? '', /"primry".*Did you mean "primary"\?/)
    const failed = await api.post('/workflows/execute', { workflowId: saved.id })
    assert.deepEqual(issuePaths(failed), ['nodes.sheet.params.color'])
    const dry = ok(await api.post<Validation>('/workflows/validate', { document }))
    assert.deepEqual([dry.valid, dry.warnings.map(({ path }) => path)], [true, ['nodes.sheet.params.color']])
    const withValues = ok(await api.post<Validation>('/workflows/validate', { document, parameters: {} }))
    assert.deepEqual(
      [withValues.valid, withValues.issues.map(({ path }) => path)],
      [false, ['nodes.sheet.params.color']],
    )
    await setBrand({ primry: color('#0f766e') })
    assert.deepEqual((await execute(saved.id)).brand, { primry: '#0f766e' })
    await setBrand({})
    assert.deepEqual(issuePaths(await api.post('/workflows/execute', { workflowId: saved.id })), [
      'nodes.sheet.params.color',
    ])
  })

  test('a value of the wrong form for its param is rejected with the path of the param', async () => {
    await setBrand({ primary: text('no colour') })
    const { id } = await save(api, canvas({ color: '{{ brand.primary }}' }))
    assert.deepEqual(issuePaths(await api.post('/workflows/execute', { workflowId: id })), ['nodes.sheet.params.color'])
  })

  test('a template that names no value, or a field of a value, is rejected when it is saved', async () => {
    for (const template of ['{{ brand }}', '{{ brand[color] }}', '{{ brand.a.b }}', '{{ brand[0] }}']) {
      const document = naming(template, [{ name: 'color', type: 'string', default: 'a' }])
      assert.deepEqual(issuePaths(await api.post('/workflows', document)), ['output.name'], template)
    }
    const named = naming('{{ brand.a }}', [{ name: 'brand', type: 'string', default: 'a' }])
    assert.deepEqual(issuePaths(await api.post('/workflows', named)), ['parameters.0.name'])
    assert.deepEqual(issuePaths(await api.post('/workflows/validate', { document: canvas(), projectId: 5 })), [
      'projectId',
    ])
    refused(await api.post('/workflows/validate', { document: canvas(), projectId: 'proj_unknown' }), 'not_found')
  })

  test('a deleted image of the brand is reported before the execution', async () => {
    const { id } = await upload(api, await plain('png', 9, 7))
    await setBrand({ logo: { type: 'image', value: id } })
    const document = scale()
    document.parameters = [{ name: 'width', type: 'number', default: 20 }]
    Object.assign(document.nodes.load ?? {}, { params: { source: '{{ brand.logo }}' } })
    const { id: workflowId } = await save(api, document)
    assert.equal((await execute(workflowId)).status, 'completed')
    ok(await api.delete(`/storage/images/${id}`))
    const { issues } = refused(await api.post('/workflows/execute', { workflowId }), 'invalid_request')
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['nodes.load.params.source'],
    )
    assert.match(issues?.[0]?.message ?? '', /brand value "logo".*deleted/)
  })

  test('a change makes new steps only where templates read the value', async () => {
    const seed = Date.now() % 1_000_000
    const document: Document = {
      name: 'Cached',
      nodes: {
        plain: { type: 'noise', params: { width: 900, height: 900, seed } },
        calm: { type: 'denoise', inputs: { image: 'plain' } },
        tinted: {
          type: 'duotone',
          inputs: { image: 'calm' },
          params: { shadows: '{{ brand.dark }}', highlights: '#ffffff' },
        },
      },
      output: { node: 'tinted', format: 'png' },
    }
    await setBrand({ dark: color('#000044'), other: text('a') })
    const { id } = await save(api, document)
    await execute(id)
    const predicted = async () => {
      const { steps } = ok(await api.post<Validation>('/workflows/validate', { document }))
      return Object.fromEntries(steps.map(({ node, servedFrom }) => [node, servedFrom]))
    }
    const all = { plain: 'cache', calm: 'cache', tinted: 'cache' }
    await until('the steps to be stored', async () => (await predicted()).tinted === 'cache' || undefined)
    await setBrand({ dark: color('#000044'), other: text('b') })
    assert.deepEqual(await predicted(), all)
    await setBrand({ dark: color('#440000'), other: text('b') })
    // A result is stored after the steps that read it have started, and only counts here if the last one is missing.
    await until('the other steps to be stored', async () => (await predicted()).calm === 'cache' || undefined)
    assert.deepEqual(await predicted(), { ...all, tinted: null })
  })

  test('an accepted execution keeps the values that it was accepted with', async () => {
    await setBrand({ label: text('before'), size: text('0') })
    const document = naming('{{ brand.label }}')
    Object.assign(document.nodes.sheet ?? {}, { params: { width: 5, height: 5, color: 'red' } })
    const { id: workflowId } = await save(api, document)
    const accepted = ok(await api.post<Executed>('/workflows/execute', { workflowId, async: true }), 202)
    await setBrand({ label: text('after') })
    const done = await until('the execution', async () => {
      const execution = await found(accepted.executionId)
      return execution.status === 'completed' ? execution : undefined
    })
    assert.deepEqual([done.brand, await nameOf(done)], [{ label: 'before' }, 'before'])
    assert.equal(await nameOf(await execute(workflowId)), 'after')
  })

  test('an execution that resumes another has the values of the other', async () => {
    await setBrand({ label: text('before') })
    const document = naming('{{ brand.label }}', [{ name: 'left', type: 'number', default: 100 }])
    document.nodes.cut = {
      type: 'crop',
      inputs: { image: 'sheet' },
      params: { x: '{{ left }}', y: 0, width: 2, height: 2 },
    }
    document.output.node = 'cut'
    const { id: workflowId } = await save(api, document)
    const { executionId } = refused(await api.post('/workflows/execute', { workflowId }), 'workflow_failed')
    await setBrand({})
    const path = `/workflows/executions/${executionId}/resume`
    const resumed = ok(await api.post<Execution>(path, { parameters: { left: 0 } }))
    const { brand } = await found(resumed.executionId)
    assert.deepEqual([brand, await nameOf(resumed)], [{ label: 'before' }, 'before'])
  })

  test('a batch keeps the values of its creation', async () => {
    await setBrand({ label: text('before') })
    const { id: workflowId } = await save(
      api,
      naming('{{ brand.label }} {{ n }}', [{ name: 'n', type: 'string', required: true }]),
    )
    interface Batch {
      id: string
      status: string
      brand?: Record<string, string>
    }
    const batch = ok(await api.post<Batch>('/batches', { workflowId }), 201)
    assert.deepEqual(batch.brand, { label: 'before' })
    await setBrand({})
    assert.deepEqual(issuePaths(await api.post('/batches', { workflowId })), ['output.name'])
    const rows = { body: 'n\n1\n2\n', headers: { 'content-type': 'text/csv' } }
    ok(await api.call('PUT', `/batches/${batch.id}/items`, rows), 200)
    ok(await api.post(`/batches/${batch.id}/start`))
    await until('the batch', async () => {
      return ok(await api.get<Batch>(`/batches/${batch.id}`)).status === 'completed' || undefined
    })
    const { items } = ok(await api.get<{ items: { executionId: string }[] }>(`/batches/${batch.id}/items`))
    const names = await Promise.all(
      items.map(async ({ executionId }) => nameOf(ok(await api.get<Executed>(`/workflows/executions/${executionId}`)))),
    )
    assert.deepEqual(names.sort(), ['before 1', 'before 2'])
  })

  test('a draft reads the values of its project, and its publication warns of missing values', async () => {
    const projectId = await newProject()
    await setBrand({ label: text('draft') }, projectId)
    const draft = ok(
      await api.post<{ workflowId: string }>('/workflows/drafts', {
        document: naming('{{ brand.label }}'),
        projectId,
      }),
      201,
    )
    const path = `/workflows/${draft.workflowId}/draft`
    assert.equal(await nameOf(ok(await api.post<Execution>(`${path}/execute`, {}))), 'draft')
    await setBrand({}, projectId)
    assert.deepEqual(issuePaths(await api.post(`${path}/execute`, {})), ['output.name'])
    const { warnings } = ok(await api.post<{ warnings: Issue[] }>(`${path}/publish`, {}), 201)
    assert.deepEqual(
      warnings.map((warning) => warning.path),
      ['output.name'],
    )
  })

  test('a delivery URL has the new values after maxAge, and those of its project', async () => {
    const projectId = await newProject()
    await setBrand({ paint: color('#0000ff') })
    await setBrand({ paint: color('#00ff00') }, projectId)
    const delivery = { parameters: [], maxAge: 0 }
    const { id } = await save(api, { ...canvas({ color: '{{ brand.paint }}' }), delivery } as Document, projectId)
    const key = await newSigningKey(api, { name: 'Website' })
    const colorOf = async (file: string) => {
      const reply = await deliver(api, deliveryUrl(key, file))
      ok(reply)
      return (await pixelAt(reply.bytes, 0, 0)).slice(0, 3)
    }
    assert.deepEqual(await colorOf(`${id}.png`), [0, 255, 0])
    assert.deepEqual(await colorOf(`${id}@1.png`), [0, 255, 0])
    await setBrand({ paint: color('#ff0000') }, projectId)
    assert.deepEqual(await colorOf(`${id}@1.png`), [0, 255, 0])
    assert.deepEqual(await colorOf(`${id}.png`), [255, 0, 0])
    await setBrand({}, projectId)
    assert.deepEqual(await colorOf(`${id}.png`), [0, 0, 255])
    // The former file is better than none.
    await setBrand({})
    assert.deepEqual(await colorOf(`${id}.png`), [0, 0, 255])
  })

  test('an execution of a workflow that reads no brand value has none', async () => {
    await setBrand({ label: text('unused') })
    const { id } = await save(api, canvas())
    assert.equal('brand' in (await execute(id)), false)
    await run(api, id)
  })

  test('a key without workflows:write can read the values, but not save them', async () => {
    const { key: reader } = await key('--permissions', 'workflows:read')
    ok(await api.as(reader).get('/brand'))
    refused(await api.as(reader).put('/brand', { values: {} }), 'forbidden')
  })
})
