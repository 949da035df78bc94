/** Parameters with a `format`: what they accept, what templates see, and their schema. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, naming } from '../harness/documents.ts'
import { firstAccount, newAccount } from '../harness/shared.ts'
import type { ErrorBody, Execution, Image, Workflow } from '../harness/types.ts'
import { fetchImage, idInUrl, run, save, upload } from '../harness/workflows.ts'

const people = {
  type: 'array',
  maxItems: 3,
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      photo: { type: 'string', format: 'image' },
      color: { type: 'string', format: 'color' },
    },
    required: ['name'],
    additionalProperties: false,
  },
}

area('parameters with a format', { concurrency: 4 }, () => {
  let api: Client
  let red: Buffer
  let photo: Image
  before(async () => {
    api = await firstAccount()
    red = await sharp({ create: { width: 12, height: 9, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
    photo = await upload(api, red, 'red.png')
  })

  const execute = (workflowId: string, parameters: unknown) =>
    api.post<Execution>('/workflows/execute', { workflowId, parameters })
  const saved = async (template: string, ...parameters: Record<string, unknown>[]) =>
    (await save(api, naming(template, parameters))).id
  const nameOf = async (workflowId: string, parameters: Record<string, unknown>): Promise<string> => {
    const { url } = await run(api, workflowId, parameters)
    return ok(await api.get<Image>(`/storage/images/${idInUrl(url)}`)).name.replace(/\.png$/, '')
  }

  test('a boolean is passed as itself or as its text, and templates see it', async () => {
    const id = await saved('{% if proof %}marked{% else %}plain{% endif %}', {
      name: 'proof',
      type: 'string',
      format: 'boolean',
      default: 'true',
    })
    const names = await Promise.all(
      [{}, { proof: false }, { proof: 'false' }, { proof: true }].map((each) => nameOf(id, each)),
    )
    assert.deepEqual(names, ['marked', 'plain', 'plain', 'marked'])
    for (const proof of ['yes', 0, 1, '', 'False', []])
      assert.deepEqual(issuePaths(await execute(id, { proof })), ['parameters.proof'])
  })

  test('JSON is passed as itself or as its text, and templates read its fields', async () => {
    const id = await saved('{% for each in people %}{{ each.name }}-{% endfor %}{{ people[0].color }}', {
      name: 'people',
      type: 'string',
      format: 'json',
      schema: people,
      default: [{ name: 'Ada', color: 'white' }],
    })
    const passed = [{ name: 'Mei', color: 'red' }, { name: 'Noor' }]
    assert.equal(await nameOf(id, {}), 'Ada-white')
    assert.equal(await nameOf(id, { people: passed }), 'Mei-Noor-red')
    assert.equal(await nameOf(id, { people: JSON.stringify(passed) }), 'Mei-Noor-red')
    for (const [value, paths] of [
      [
        [{ name: 5 }, { name: '' }],
        ['parameters.people.0.name', 'parameters.people.1.name'],
      ],
      [[{ nmae: 'Ada' }], ['parameters.people.0.name', 'parameters.people.0.nmae']],
      [[{ name: 'Ada', color: 'blurple' }], ['parameters.people.0.color']],
      [Array.from({ length: 4 }, () => ({ name: 'Ada' })), ['parameters.people']],
      ['[{]', ['parameters.people']],
      ['"Ada"', ['parameters.people']],
      [`${'['.repeat(70)}${']'.repeat(70)}`, ['parameters.people']],
      [{ name: 'Ada' }, ['parameters.people']],
      [7, ['parameters.people']],
    ] as const)
      assert.deepEqual(issuePaths(await execute(id, { people: value })), [...paths], JSON.stringify(value))
  })

  test('a node runs once for each item of a JSON list, with the images of the items', async () => {
    const { id } = await save(api, {
      ...canvas(),
      parameters: [{ name: 'people', type: 'string', format: 'json', schema: people, required: true }],
      nodes: {
        photo: { type: 'image', each: '{{ people }}', params: { source: '{{ item.photo }}' } },
        set: { type: 'stack', inputs: { images: 'photo' }, params: { direction: 'horizontal' } },
      },
      output: { node: 'set', format: 'png' },
    })
    const dataUrl = `data:image/png;base64,${red.toString('base64')}`
    const sources = [photo.id, photo.url, dataUrl]
    const { output, executionId } = ok(
      await execute(id, { people: sources.map((source) => ({ name: 'Ada', photo: source })) }),
    )
    assert.deepEqual({ width: output?.width, height: output?.height }, { width: 36, height: 9 })
    const { parameters } = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
    const stored = (parameters as { people: { photo: string }[] }).people.map((each) => each.photo)
    assert.deepEqual(stored.slice(0, 2), [photo.id, photo.url])
    // The account has these bytes already.
    assert.equal(stored[2], photo.id)
  })

  const pictured = () => ({
    ...canvas(),
    parameters: [{ name: 'photo', type: 'string', format: 'image', required: true }],
    nodes: { photo: { type: 'image', params: { source: '{{ photo }}' } } },
    output: { node: 'photo', format: 'png' },
  })

  test('a data: URL becomes a stored image when the request is accepted', async () => {
    const { id } = await save(api, pictured())
    const blue = await sharp({ create: { width: 5, height: 4, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    const { executionId } = ok(await execute(id, { photo: `data:image/png;base64,${blue.toString('base64')}` }))
    const { parameters } = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
    const image = ok(await api.get<Image>(`/storage/images/${String(parameters?.photo)}`))
    assert.deepEqual(await fetchImage(api, image.url), blue)
    assert.equal(image.name, 'photo')
  })

  test('a data: URL has all forms that WHATWG allows, and a broken one names the rule', async () => {
    const { id } = await save(api, pictured())
    const bytes = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#00ff80' } })
      .png()
      .toBuffer()
    const base64 = bytes.toString('base64')
    const lines = base64.replace(/.{20}/g, '$&\r\n')
    const valid = [
      `data:image/png;charset=utf-8;base64,${lines}`,
      `DATA:image/PNG; base64,${base64.replace(/=+$/, '')}`,
      ` data:image/png;base64,${encodeURIComponent(base64)}\n`,
      `data:image/png,${[...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    ]
    for (const source of valid) {
      const { executionId } = ok(await execute(id, { photo: source }))
      const { parameters } = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
      const image = ok(await api.get<Image>(`/storage/images/${String(parameters?.photo)}`))
      assert.deepEqual(await fetchImage(api, image.url), bytes, source.slice(0, 60))
    }
    const drawing = "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    ok(await execute(id, { photo: drawing }))
    for (const [source, message] of [
      [`data:image/png;base64,${'-_'.repeat(4)}`, /in base64, not base64url: write \+ in place of -/],
      ['data:image/png;base64,AA*A', /whose base64 has no "\*"/],
      ['data:image/png;base64,AAAAA', /whose base64 is complete/],
      ['data:image/png;base64', /with a comma before its data/],
      ['data:text/html;base64,AAAA', /with the media type of an image/],
      [`data:image/png;base64,${'A'.repeat(700_000)}`, /of at most 512 KiB/],
      [`https://example.com/${'a'.repeat(5_000)}`, /must have at most 4096 characters; it has 5020/],
    ] as const) {
      const { issues } = refused(await execute(id, { photo: source }), 'invalid_request')
      assert.match(String(issues?.[0]?.message), message, source.slice(0, 60))
    }
  })

  test('a URL of an image can have spaces, which are encoded', async () => {
    const { id } = await save(api, pictured())
    ok(await execute(id, { photo: ` ${photo.url}\n` }))
    const fault = refused(await execute(id, { photo: 'https://exa mple.test/a b.png' }), 'invalid_request')
    assert.match(String(fault.issues?.[0]?.message), /must be an image/)
  })

  test('an image that does not exist is rejected before the execution', async () => {
    const other = await newAccount()
    const theirs = await upload(other.api, red, 'red.png')
    const { id } = await save(api, pictured())
    const missing = `img_${'0'.repeat(28)}`
    for (const source of [
      theirs.id,
      missing,
      photo.url.replace(photo.id, missing),
      'img_1',
      'coffee.jpg',
      'data:image/png;base64,AAAA',
      'data:text/html;base64,AAAA',
      'data:image/png,red',
      '',
    ])
      assert.deepEqual(issuePaths(await execute(id, { photo: source })), ['parameters.photo'], source)
    // The URL is enough to read an image, of any account.
    ok(await execute(id, { photo: theirs.url }))
    const { executions } = ok(await api.get<{ executions: unknown[] }>(`/workflows/executions?workflowId=${id}`))
    assert.equal(executions.length, 1)
  })

  test('a dry run reports missing images, and stores no data: URL', async () => {
    const tenant = await newAccount()
    const check = (source: string) =>
      tenant.api.post<{ issues: { path: string }[] }>('/workflows/validate', {
        document: pictured(),
        parameters: { photo: source },
      })
    const dataUrl = `data:image/png;base64,${red.toString('base64')}`
    assert.deepEqual(
      ok(await check(`img_${'0'.repeat(28)}`)).issues.map(({ path }) => path),
      ['parameters.photo'],
    )
    assert.deepEqual(ok(await check(dataUrl)).issues, [])
    assert.deepEqual(ok(await tenant.api.get<{ images: unknown[] }>('/storage/images')).images, [])
  })

  test('colours, dates, URLs, fonts, models and labelled options are checked', async () => {
    const id = await saved(
      '{{ color }}',
      { name: 'color', type: 'string', format: 'color', default: 'white' },
      { name: 'day', type: 'string', format: 'date' },
      { name: 'link', type: 'string', format: 'url' },
      { name: 'font', type: 'string', format: 'font' },
      { name: 'model', type: 'string', format: 'model' },
      { name: 'text', type: 'string', format: 'multiline' },
      { name: 'tone', type: 'string', format: 'enum', enum: ['warm', 'cold'], labels: { warm: 'Warm light' } },
    )
    const right = {
      color: '#abcdef',
      day: '2028-02-29',
      link: 'https://example.com/?a=b',
      font: 'Inter',
      model: 'openai/gpt-image-1',
      text: 'a\nb',
      tone: 'cold',
    }
    assert.equal(await nameOf(id, right), '#abcdef')
    const wrong = {
      color: 'blurple',
      day: '2027-02-29',
      link: 'example.com',
      font: '',
      model: 'a b',
      text: 5,
      tone: 'Warm',
    }
    assert.deepEqual(
      issuePaths(await execute(id, wrong)),
      Object.keys(wrong)
        .map((name) => `parameters.${name}`)
        .sort(),
    )
  })

  test('a workflow states formats and the schema of its parameters, and defaults as text', async () => {
    const id = await saved(
      'name',
      { name: 'people', type: 'string', format: 'json', schema: people, default: [{ name: 'Ada' }] },
      { name: 'proof', type: 'string', format: 'boolean', default: true },
      { name: 'title', type: 'string', required: true, description: 'The headline.' },
    )
    const { parameters, inputSchema } = ok(await api.get<Workflow>(`/workflows/${id}`))
    assert.deepEqual(parameters, [
      { name: 'people', type: 'string', format: 'json', schema: people, default: '[{"name":"Ada"}]' },
      { name: 'proof', type: 'string', format: 'boolean', default: 'true' },
      { name: 'title', type: 'string', required: true, description: 'The headline.' },
    ])
    assert.deepEqual(inputSchema.required, ['title'])
    const { title, proof } = inputSchema.properties as Record<string, unknown>
    assert.deepEqual(title, { description: 'The headline.', type: 'string', maxLength: 100_000 })
    assert.deepEqual(proof, {
      default: true,
      anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }, { type: 'null' }],
    })
  })

  const json = (schema: object, more: object = {}) => ({ format: 'json', schema, ...more })
  const list = (items: object, more: object = {}) => json({ type: 'array', items, ...more })
  const field = (declared: object) => json({ type: 'object', properties: { one: declared } })
  const dataUrl = 'data:image/png;base64,AAAA'
  const mistakes: [what: string, declaration: Record<string, unknown>, path: string][] = [
    ['an unknown format', { format: 'colour' }, 'format'],
    ['a format of a number', { type: 'number', format: 'color' }, 'format'],
    ['JSON without a schema', { format: 'json' }, 'schema'],
    ['a schema without JSON', { schema: people }, 'schema'],
    ['a schema of text', json({ type: 'string' }), 'schema.type'],
    ['a schema that is a list', json([]), 'schema'],
    ['an unsupported keyword', json({ type: 'object', patternProperties: {} }), 'schema.patternProperties'],
    ['a pattern', list({ type: 'string', pattern: '(a+)+$' }), 'schema.items.pattern'],
    ['a schema without a valid value', list({ type: 'number' }, { minItems: 3, maxItems: 2 }), 'schema.minItems'],
    ['no whole number in its range', list({ type: 'integer', minimum: 0.2, maximum: 0.8 }), 'schema.items.minimum'],
    ['a required field that is not declared', json({ type: 'object', required: ['nmae'] }), 'schema.required.0'],
    ['an option that does not fit', list({ type: 'integer', enum: [1, 1.5] }), 'schema.items.enum.1'],
    ['another dialect', json({ ...people, $schema: 'http://json-schema.org/draft-07/schema#' }), 'schema.$schema'],
    ['a default that does not fit the schema', json(people, { default: [{ name: 5 }] }), 'default.0.name'],
    ['a default that is not a colour', { format: 'color', default: 'blurple' }, 'default'],
    ['a default that is a data: URL', { format: 'image', default: dataUrl }, 'default'],
    ['a required field named twice', json({ ...people.items, required: ['name', 'name'] }), 'schema.required.1'],
    ['an option of a field named twice', list({ type: 'integer', enum: [1, 2, 1] }), 'schema.items.enum.2'],
    ['a value longer than a request', list({ type: 'string', minLength: 2_000 }, { minItems: 50 }), 'schema'],
    ['more images than a request may have', list({ type: 'string', format: 'image' }, { minItems: 201 }), 'schema'],
    [
      'a default of a field that does not fit',
      field({ type: 'integer', default: 1.5 }),
      'schema.properties.one.default',
    ],
    [
      'a default of a field that is a data: URL',
      field({ type: 'string', format: 'image', default: dataUrl }),
      'schema.properties.one.default',
    ],
    ['too deep JSON', json({ type: 'object' }, { default: `${'['.repeat(70)}${']'.repeat(70)}` }), 'default'],
    ['too many items', { ...list({ type: 'integer' }), default: `[${'1,'.repeat(60_000)}1]` }, 'default'],
    ['options without values', { format: 'enum' }, 'enum'],
    ['a label of another value', { enum: ['a'], labels: { b: 'B' } }, 'labels.b'],
    ['labels without options', { labels: { b: 'B' } }, 'labels'],
    ['an option that is not a colour', { format: 'color', enum: ['white', 'blurple'] }, 'enum.1'],
    ['a boolean default for plain text', { default: true }, 'default'],
  ]
  for (const [label, declaration, path] of mistakes) {
    test(`${label} is rejected when the workflow is saved`, async () => {
      const document = naming('name', [{ name: 'value', type: 'string', ...declaration }])
      assert.deepEqual(issuePaths(await api.post('/workflows', document)), [`parameters.0.${path}`])
    })
  }

  test('schemas are limited in depth and size', async () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) }
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`field${i}`, { type: 'string' }])),
    }
    for (const schema of [nested(6), wide]) {
      const document = naming('name', [{ name: 'value', type: 'string', format: 'json', schema }])
      refused(await api.post('/workflows', document), 'invalid_request')
    }
    ok(
      await api.post(
        '/workflows',
        naming('name', [{ name: 'value', type: 'string', format: 'json', schema: nested(4) }]),
      ),
      201,
    )
  })

  test('a template that reads a field that the schema does not have is rejected', async () => {
    const declared = { name: 'people', type: 'string', format: 'json', schema: people }
    assert.deepEqual(issuePaths(await api.post('/workflows', naming('{{ people[0].nmae }}', [declared]))), [
      'output.name',
    ])
    await save(api, naming('{{ people[0].name }} {{ people.size }} {{ people.first.name }}', [declared]))
  })

  test('optional fields of JSON have their default, and are nil in templates without one', async () => {
    const person = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        title: { type: 'string' },
        tone: { type: 'string', default: 'warm' },
        place: {
          type: 'object',
          properties: { x: { type: 'number', default: 0.5 }, y: { type: 'number' } },
          default: {},
        },
      },
    }
    const id = await saved(
      '{{ one.name }}-{{ one.title }}-{{ one.tone }}-{{ one.place.x }}-{{ one.place.y }}-{{ many.first.tone }}',
      {
        name: 'one',
        type: 'string',
        format: 'json',
        schema: person,
        default: {},
      },
      { name: 'many', type: 'string', format: 'json', schema: { type: 'array', items: person }, default: [{}] },
    )
    assert.equal(await nameOf(id, {}), '--warm-0.5--warm')
    const one = { name: 'Ada', place: { y: 1 } }
    const { executionId } = ok(await execute(id, { one, many: [{ tone: 'cold' }] }))
    const { output, parameters } = ok(await api.get<Execution>(`/workflows/executions/${executionId}`))
    assert.equal(
      ok(await api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`)).name,
      'Ada--warm-0.5-1-cold.png',
    )
    assert.deepEqual(parameters?.one, { name: 'Ada', tone: 'warm', place: { x: 0.5, y: 1 } })
  })

  test('a name with a field that the items of the list do not have is rejected', async () => {
    const document = (source: string, of = '{{ people }}') => ({
      ...canvas(),
      parameters: [{ name: 'people', type: 'string', format: 'json', schema: people, required: true }],
      nodes: {
        photo: { type: 'image', each: of, params: { source: '{{ item.photo }}' } },
        sized: { type: 'resize', inputs: { image: 'photo' }, params: { width: source } },
        set: { type: 'stack', inputs: { images: 'sized' } },
      },
      output: { node: 'set', format: 'png' },
    })
    const rejected = await api.post<ErrorBody>('/workflows', document('{{ item.nmae.size }}'))
    assert.deepEqual(issuePaths(rejected), ['nodes.sized.params.width'])
    assert.match(
      JSON.stringify(rejected.body),
      /uses \\"item.nmae\\", which its schema doesn't have. Did you mean \\"name\\"/,
    )
    await save(api, document('{{ item.name.size }}'))
    // Filters can return anything.
    await save(api, document('{{ item.nmae.size }}', "{{ people | map: 'photo' }}"))
  })
})
