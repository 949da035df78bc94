/** Malicious workflow documents and templates. */
import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { canvas, type Document, naming } from '../harness/documents.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import type { Execution, Image } from '../harness/types.ts'
import { idInUrl, run, save } from '../harness/workflows.ts'
import { assertAlive } from './survival.ts'

area('hostile workflows', { concurrency: 2 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount(await closedService())
  })
  afterEach(() => assertAlive(api.service))

  const s = '{% assign s = "xxxxxxxxxx" %}'
  const list = '{% assign s = (1..90000) | join: "x" %}{% assign a = s | split: "x" %}'
  // Half a gigabyte of text without limits.
  const captured = `${s}{% for i in (1..25) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}`
  const heavy: Record<string, string> = {
    'loops a billion times': '{% for i in (1..1000000000) %}{% endfor %}',
    'loops a million times and writes': '{% for i in (1..1000000) %}xxxxxxxxxx{% endfor %}',
    'doubles a text in a loop': `${s}{% for i in (1..64) %}{% assign s = s | append: s %}{% endfor %}{{ s }}`,
    'captures what it doubles, and searches in it': `${captured}{% if s contains "y" %}a{% endif %}b`,
    'looks up what it captured': `${captured}{% assign o = s[s] %}b`,
    'replaces each letter by all': `${s}{% for i in (1..20) %}{% assign s = s | replace: "x", s %}{% endfor %}{{ s }}`,
    'joins a long list': '{% assign s = (1..100000000) | join: "xxxxxxxxxx" %}{{ s }}',
    'sorts a long list': '{% assign s = (1..100000000) | reverse | sort %}{{ s | size }}',
    // These have no tag between two long operations.
    'searches a long list 90 times': `${list}{% if ${Array(90).fill('a contains 1.5').join(' or ')} %}{% endif %}b`,
    'compares long lists': `${list}${'{% if a == a %}{% endif %}'.repeat(200)}b`,
    'searches backwards for a long text': `${list}{% assign q = s | slice: 0, 100000 | prepend: "b" %}{{ s | remove_last: q }}`,
    'writes lists that contain each other': `{% assign a = "x" | split: "" %}${'{% assign b = "" | split: "" | push: a | push: a %}{% assign a = b %}'.repeat(40)}{{ a }}`,
  }
  for (const [label, template] of Object.entries(heavy)) {
    test(`a template that ${label} is rejected when it is saved, or fails the execution`, async () => {
      const reply = await api.post<{ id: string }>('/workflows', naming(template))
      if (reply.status === 201) assertTooMuch(await api.post('/workflows/execute', { workflowId: reply.body.id }))
      else assert.deepEqual(issuePaths(reply), ['output.name'])
    })
  }

  test('a document with more than 65,536 characters in all its templates is rejected', async () => {
    const { nodes, output } = naming('x')
    const [[id, node] = ['', undefined]] = Object.entries(nodes)
    const when = '{{ 1 }}'.repeat(2_800)
    const document = (count: number) => ({
      name: 'Long',
      nodes: {
        [id]: node,
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, { ...node, when }])),
      },
      output,
    })
    ok(await api.post('/workflows/validate', { document: document(3) }))
    const reply = await api.post('/workflows', document(4))
    assert.match(JSON.stringify(reply.body), /at most 65536 characters in all templates together, not 78400/)
  })

  test('a document with more than 10,000 values is rejected', async () => {
    const reply = await api.post('/workflows', { ...naming('x'), layout: Array(50_000).fill(0) })
    assert.match(JSON.stringify(reply.body), /at most 10000 values \(texts, numbers, lists and objects\)/)
  })

  test('a template that grows with a parameter fails the execution, and completes with a small parameter', async () => {
    const document = naming('{% for i in (1..n) %}x{% endfor %}', [{ name: 'n', type: 'number', required: true }])
    const { id: workflowId } = await save(api, document)
    ok(await api.post('/workflows/execute', { workflowId, parameters: { n: 10 } }))
    assertTooMuch(await api.post('/workflows/execute', { workflowId, parameters: { n: 1e12 } }))
  })

  for (const template of [
    '{{ title.constructor }}',
    '{{ title.constructor.constructor }}',
    '{{ title.__proto__ }}',
    '{{ title | map: "constructor" }}',
    '{{ constructor }}',
    '{{ __proto__ }}',
    '{{ process.env.PATH }}',
    '{{ globalThis }}',
    '{{ this }}',
    '{{ nodes.constructor }}',
    '{{ nodes.sheet.constructor }}',
    '{{ nodes.__proto__.polluted }}',
    '{{ title.toString }}',
  ]) {
    test(`the template ${template} cannot access the program`, async () => {
      const reply = await api.post<{ id: string }>(
        '/workflows',
        naming(template, [{ name: 'title', type: 'string', default: 'a' }]),
      )
      if (reply.status === 400) return assert.deepEqual(issuePaths(reply), ['output.name'])
      const executed = await api.post<Execution>('/workflows/execute', { workflowId: ok(reply, 201).id })
      if (executed.status === 400) return assert.deepEqual(issuePaths(executed), ['output.name'])
      const { name } = ok(await api.get<Image>(`/storage/images/${idInUrl(ok(executed).output?.url ?? '')}`))
      assert.doesNotMatch(name, /function|native|object|\/bin/i)
    })
  }

  for (const name of [
    '../evil.png',
    '/etc/passwd',
    'a/b.png',
    'a\\b.png',
    '..',
    'a\u0000b.png',
    'a\r\nX-Evil: 1.png',
  ]) {
    test(`${JSON.stringify(name)} is rejected as the name of an output, literal and rendered`, async () => {
      assert.deepEqual(issuePaths(await api.post('/workflows', canvas({}, { name }))), ['output.name'])
      const { id } = await save(api, naming('{{ title }}', [{ name: 'title', type: 'string', required: true }]))
      const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { title: name } })
      assert.deepEqual(issuePaths(reply), ['output.name'])
    })
  }

  test('a parameter that looks like a template is ordinary text', async () => {
    const { id } = await save(api, naming('{{ title }}', [{ name: 'title', type: 'string', required: true }]))
    const { url } = await run(api, id, { title: '{{ 7 | times: 7 }}' })
    const { name } = ok(await api.get<Image>(`/storage/images/${idInUrl(url)}`))
    assert.doesNotMatch(name, /49/)
    assert.match(name, /times/)
  })

  const node = { type: 'canvas', params: { width: 1, height: 1 } }
  const small = '"a":{"type":"canvas","params":{"width":1,"height":1'
  const documents: Record<string, () => unknown> = {
    'a node called __proto__': () =>
      JSON.parse(`{"name":"x","nodes":{"__proto__":{"type":"canvas"},${small}}}},"output":{"node":"a"}}`),
    'a node called constructor with an unknown operation called constructor': () => ({
      ...canvas(),
      nodes: { constructor: { type: 'constructor' } },
      output: { node: 'constructor' },
    }),
    'an operation called __proto__': () => ({
      ...canvas(),
      nodes: { a: { type: '__proto__' } },
      output: { node: 'a' },
    }),
    'an operation called toString': () => ({ ...canvas(), nodes: { a: { type: 'toString' } }, output: { node: 'a' } }),
    'inputs called __proto__': () =>
      JSON.parse(`{"name":"x","nodes":{${small}},"inputs":{"__proto__":"a"}}},"output":{"node":"a"}}`),
    'params called __proto__': () =>
      JSON.parse(`{"name":"x","nodes":{${small},"__proto__":{"x":1}}}},"output":{"node":"a"}}`),
    'parameters called __proto__': () => ({
      ...canvas(),
      parameters: Array(2).fill({ name: '__proto__', type: 'string' }),
    }),
    'a cycle of 200 nodes': () => ring(200),
    'a megabyte of layout': () => ({ ...canvas(), layout: 'x'.repeat(1_000_000) }),
    'a megabyte of template': () => naming('x'.repeat(1_000_000)),
    'a template that opens 5,000 blocks': () => naming('{% if 1 %}'.repeat(5_000)),
    'a description of a megabyte': () => ({ ...canvas(), description: 'x'.repeat(900_000) }),
    '10,000 parameters': () => ({
      ...canvas(),
      parameters: Array.from({ length: 10_000 }, (_, i) => ({ name: `p${i}`, type: 'string' })),
    }),
  }
  for (const [label, document] of Object.entries(documents)) {
    test(`a document with ${label} is rejected`, async () => {
      refused(await api.call('POST', '/workflows', { json: document(), keepAlive: false }), 'invalid_request')
    })
  }

  for (const place of ['layout', 'color', 'when']) {
    test(`a document with 10,000 nested lists as its ${place} is rejected`, async () => {
      const sheet = { type: 'canvas', params: { width: 1, height: 1, color: 'red' }, when: 'true' }
      const document = {
        name: 'x',
        nodes: { sheet: { ...sheet, ...(place === 'when' ? { when: '@' } : {}) } },
        output: { node: 'sheet' },
        layout: 0,
      }
      if (place === 'color') document.nodes.sheet.params.color = '@'
      const text = JSON.stringify(place === 'layout' ? { ...document, layout: '@' } : document)
      const body = text.replace('"@"', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)
      refused(
        await api.call('POST', '/workflows', { body, headers: { 'content-type': 'application/json' } }),
        'invalid_request',
      )
    })
  }

  test('a document with issues in every one of 200 nodes is rejected with a response of limited size', async () => {
    const bad = { type: 'canvas', params: { width: -1, height: 'x', nope: 1, colour: 2 } }
    const nodes = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`n${i}`, bad]))
    const reply = await api.post('/workflows', { ...canvas(), nodes, output: { node: 'n0' } })
    assert.ok(issuePaths(reply).length >= 100)
    assert.ok(reply.text.length < 200_000)
  })

  test('a chain of 200 nodes is executed', async () => {
    const nodes: Document['nodes'] = { n0: node }
    for (let i = 1; i < 200; i++) nodes[`n${i}`] = { type: 'flip', inputs: { image: `n${i - 1}` } }
    const { id } = await save(api, { ...canvas(), nodes, output: { node: 'n199', format: 'png' } })
    assert.equal((await run(api, id)).width, 1)
  })

  test('a workflow that creates many huge images is rejected or fails, and memory stays below the limit', async () => {
    const nodes: Document['nodes'] = {}
    for (let i = 0; i < 30; i++)
      nodes[`n${i}`] = { type: 'canvas', params: { width: 16_000, height: 16_000, color: 'red' } }
    for (let i = 1; i < 30; i++)
      nodes[`c${i}`] = { type: 'composite', inputs: { image: i === 1 ? 'n0' : `c${i - 1}`, overlay: `n${i}` } }
    const reply = await api.post<{ id: string }>('/workflows', { ...canvas(), nodes, output: { node: 'c29' } })
    if (reply.status === 400) return void issuePaths(reply)
    const executed = await api.post('/workflows/execute', { workflowId: ok(reply, 201).id })
    assert.equal(refused(executed, 'workflow_failed').reason, 'limit_exceeded')
  })
})

/** Rejected with the path of the template, or failed because of it, and not because of the time limit of the execution. */
function assertTooMuch(reply: Reply<unknown>): void {
  if (reply.status === 400) assert.deepEqual(issuePaths(reply), ['output.name'])
  else assert.equal(refused(reply, 'workflow_failed').reason, 'limit_exceeded')
}

function ring(count: number): Document {
  const nodes: Document['nodes'] = {}
  for (let i = 0; i < count; i++) nodes[`n${i}`] = { type: 'flip', inputs: { image: `n${(i + 1) % count}` } }
  return { ...canvas(), nodes, output: { node: 'n0' } }
}
