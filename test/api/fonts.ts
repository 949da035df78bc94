/** POST and GET /fonts, DELETE /fonts/{fontId}, and texts in fonts of the account. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintype, tintypeJson } from '../harness/cli.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { field, file, type Part } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import type { Execution, Font, Fonts } from '../harness/types.ts'
import { draw, save } from '../harness/workflows.ts'

const require = createRequire(import.meta.url)
const bytesOf = (name: string): Buffer => readFileSync(require.resolve(`@fontsource/${name}.woff2`))
const anton = bytesOf('anton/files/anton-latin-400-normal')
const loraBold = bytesOf('lora/files/lora-latin-700-normal')
const loraItalic = bytesOf('lora/files/lora-latin-400-italic')

const writing: Document = {
  name: 'Writing',
  parameters: [
    { name: 'font', type: 'string', default: 'Inter' },
    { name: 'weight', type: 'number', default: 400 },
  ],
  nodes: {
    words: { type: 'text', params: { text: 'Hamburg', size: 40, font: '{{ font }}', weight: '{{ weight }}' } },
  },
  output: { node: 'words', format: 'png' },
}

area('fonts of an account', {}, () => {
  let tenant: Tenant
  let ownApi: Client
  let otherApi: Client
  before(async () => {
    tenant = await newAccount()
    ownApi = tenant.api
    otherApi = (await secondAccount()).api
  })
  const add = (api: Client, ...parts: Part[]) => api.call<Font>('POST', '/fonts', { parts })

  test('an uploaded font has its family, weight and slant, and the list has the newest first', async () => {
    const bold = ok(await add(ownApi, file(loraBold)), 201)
    const { id, createdAt, ...facts } = bold
    assert.match(id, /^font_[0-9a-z]{20,}$/)
    assert.deepEqual(facts, {
      family: 'Lora',
      format: 'woff2',
      weightMin: 700,
      weightMax: 700,
      italic: false,
      size: loraBold.length,
    })
    const italic = ok(await add(ownApi, file(loraItalic), field('family', 'House serif')), 201)
    assert.deepEqual([italic.family, italic.weightMin, italic.italic], ['House serif', 400, true])
    assert.deepEqual(ok(await ownApi.get<Fonts>('/fonts')), {
      fonts: [italic, bold],
      total: 2,
      hasMore: false,
      cursor: null,
    })
    assert.deepEqual(ok(await ownApi.get(`/fonts/${bold.id}`)), bold)
    assert.deepEqual(ok(await ownApi.get<Fonts>('/fonts', { limit: 1, offset: 1 })), {
      fonts: [bold],
      total: 2,
      hasMore: false,
      cursor: null,
    })
    for (const font of [bold, italic]) ok(await ownApi.delete(`/fonts/${font.id}`))
  })

  test('a text can use an uploaded font by its family, case-insensitively, and by its id', async () => {
    const font = ok(await add(ownApi, file(anton), field('family', 'House')), 201)
    const shipped = await draw(ownApi, writing, { font: 'Anton' })
    for (const name of ['House', 'hOUSE', font.id])
      assert.deepEqual(await draw(ownApi, writing, { font: name }), shipped)
    ok(await ownApi.delete(`/fonts/${font.id}`))
  })

  test('the file with the nearest weight of a family is used', async () => {
    const fonts = [
      ok(await add(ownApi, file(anton), field('family', 'Two')), 201),
      ok(await add(ownApi, file(loraBold), field('family', 'Two')), 201),
    ]
    assert.deepEqual(
      await draw(ownApi, writing, { font: 'Two', weight: 300 }),
      await draw(ownApi, writing, { font: 'Anton' }),
    )
    const bold = await draw(ownApi, writing, { font: 'Lora', weight: 700 })
    assert.deepEqual(await draw(ownApi, writing, { font: 'Two', weight: 800 }), bold)
    for (const { id } of fonts) ok(await ownApi.delete(`/fonts/${id}`))
  })

  test('two accounts with fonts of the same name each use their own, and neither lists the other’s', async () => {
    const fonts = [
      ok(await add(ownApi, file(anton), field('family', 'Brand')), 201),
      ok(await add(otherApi, file(loraBold), field('family', 'Brand')), 201),
    ] as const
    const [first, second] = [
      await draw(ownApi, writing, { font: 'Brand' }),
      await draw(otherApi, writing, { font: 'Brand' }),
    ]
    assert.notDeepEqual(first, second)
    assert.deepEqual(first, await draw(ownApi, writing, { font: 'Anton' }))
    assert.ok(!(await otherApi.get('/fonts', { limit: 100 })).text.includes(fonts[0].id))
    refused(await otherApi.get(`/fonts/${fonts[0].id}`), 'not_found')
    refused(await otherApi.delete(`/fonts/${fonts[0].id}`), 'not_found')
    const { id } = await save(otherApi, writing)
    const parameters = { font: fonts[0].id }
    const details = refused(
      await otherApi.post('/workflows/execute', { workflowId: id, parameters }),
      'workflow_failed',
    )
    assert.equal(details.reason, 'input_invalid')
    ok(await ownApi.delete(`/fonts/${fonts[0].id}`))
    ok(await otherApi.delete(`/fonts/${fonts[1].id}`))
  })

  test('an execution with an unknown font fails and names the available ones', async () => {
    const font = ok(await add(ownApi, file(anton), field('family', 'House')), 201)
    const { id } = await save(ownApi, writing)
    const reply = await ownApi.post<{ error: { message: string } }>('/workflows/execute', {
      workflowId: id,
      parameters: { font: 'Comic Sans' },
    })
    assert.equal(refused(reply, 'workflow_failed').reason, 'input_invalid')
    assert.match(reply.body.error.message, /Comic Sans.*Inter.*House/)
    ok(await ownApi.delete(`/fonts/${font.id}`))
    refused(await ownApi.delete(`/fonts/${font.id}`), 'not_found')
    const after = await ownApi.post<Execution>('/workflows/execute', { workflowId: id, parameters: { font: font.id } })
    assert.equal(refused(after, 'workflow_failed').reason, 'input_invalid')
  })

  const notFonts: [what: string, make: () => Promise<Buffer> | Buffer][] = [
    ['a picture', () => plain('png')],
    ['an empty file', () => Buffer.alloc(0)],
    ['the first half of a font', () => loraBold.subarray(0, loraBold.length / 2)],
    [
      'a font with damaged bytes',
      () => loraBold.map((byte, at) => (at > 300 && at % 97 === 0 ? byte ^ 0x55 : byte)) as Buffer,
    ],
    ['only the header of a font', () => Buffer.concat([Buffer.from('00010000ffff', 'hex'), Buffer.alloc(2_000, 255)])],
    ['a WOFF font of the first version', () => Buffer.concat([Buffer.from('wOFF'), Buffer.alloc(100)])],
    ['a collection of fonts', () => Buffer.concat([Buffer.from('ttcf'), Buffer.alloc(100)])],
    ['more than 10 MiB', () => Buffer.concat([anton, Buffer.alloc(10_485_761 - anton.length)])],
  ]
  for (const [label, make] of notFonts) {
    test(`${label} is not a font, and nothing of it is stored`, async () => {
      assert.deepEqual(issuePaths(await add(ownApi, file(await make()))), ['file'])
      assert.equal(ok(await ownApi.get<Fonts>('/fonts')).total, 0)
    })
  }

  test('a family is a name: not empty, not blank, no control characters, no other field', async () => {
    for (const family of ['', ' ', 'a\u0000b', ' Lora', 'x'.repeat(101)])
      assert.deepEqual(
        issuePaths(await add(ownApi, file(anton), field('family', family))),
        ['family'],
        JSON.stringify(family),
      )
    assert.deepEqual(issuePaths(await add(ownApi, file(anton), field('weight', '700'))), ['weight'])
    assert.deepEqual(issuePaths(await add(ownApi, field('family', 'Lora'))), ['file'])
  })

  test('fonts add, list and remove do the same on the command line', async () => {
    const file = path.join(ownApi.service.dataDir, 'anton.woff2')
    writeFileSync(file, anton)
    const account = ['--account', tenant.accountId]
    const [added] = await tintypeJson<Font[]>(ownApi.service, 'fonts', 'add', file, ...account)
    const listed = await tintypeJson<Font[]>(ownApi.service, 'fonts', 'list', ...account)
    assert.deepEqual([listed.map(({ id }) => id), added?.family], [[added?.id], 'Anton'])
    await tintypeJson(ownApi.service, 'fonts', 'remove', added?.id ?? '', ...account)
    assert.equal(ok(await ownApi.get<Fonts>('/fonts')).total, 0)
    writeFileSync(file, 'no font')
    const ran = await tintype(ownApi.service, 'fonts', 'add', file, ...account)
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /not a font/)
  })
})
