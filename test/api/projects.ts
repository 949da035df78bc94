/** GET and POST /projects. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Project, Projects } from '../harness/types.ts'

area('projects', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  test('a project is created with 201, exactly its fields, and Location', async () => {
    const reply = await api.post<Project>('/projects', { name: 'Spring', description: 'Cards for spring.' })
    const project = ok(reply, 201)
    assert.deepEqual(Object.keys(project).sort(), ['createdAt', 'description', 'id', 'name', 'updatedAt'])
    assert.match(project.id, /^proj_[0-9a-z]{20,}$/)
    assert.deepEqual([project.name, project.description], ['Spring', 'Cards for spring.'])
    assert.match(project.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    assert.equal(project.updatedAt, project.createdAt)
    assert.equal(new URL(reply.headers.location ?? '').pathname, `/v1/projects/${project.id}`)
    assert.deepEqual(ok(await api.get<Project>(`/projects/${project.id}`)), project)
  })

  test('a project without a description has an empty one', async () => {
    assert.equal(ok(await api.post<Project>('/projects', { name: 'Bare' }), 201).description, '')
  })

  test('the list has a project with the fields of its creation', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Listed', description: 'd' }), 201)
    const { projects } = ok(await api.get<Projects>('/projects', { limit: 100 }))
    assert.deepEqual(
      projects.find((each) => each.id === project.id),
      project,
    )
  })

  const wrong: [what: string, body: unknown, paths: string[]][] = [
    ['no name', { description: 'x' }, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a name of spaces', { name: '   ' }, ['name']],
    ['a name of other white space', { name: '\t\u00a0\u3000\n' }, ['name']],
    ['a number for a name', { name: 5 }, ['name']],
    ['null for a name', { name: null }, ['name']],
    ['a number for a description', { name: 'a', description: 5 }, ['description']],
    ['an unknown field', { name: 'a', colour: 'red' }, ['colour']],
    [
      'three invalid fields, all reported together,',
      { description: 5, colour: 'red' },
      ['colour', 'description', 'name'],
    ],
    ['U+0000 in a name', { name: 'a\u0000b' }, ['name']],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, ['name']],
    ['a description of 100,000 characters', { name: 'a', description: 'x'.repeat(100_000) }, ['description']],
  ]
  for (const [label, body, paths] of wrong) {
    test(`a project with ${label} is rejected with the path of the problem`, async () => {
      assert.deepEqual(issuePaths(await api.post('/projects', body)), paths)
    })
  }

  test('two projects may have the same name', async () => {
    const [a, b] = [
      await api.post<Project>('/projects', { name: 'Twin' }),
      await api.post<Project>('/projects', { name: 'Twin' }),
    ]
    assert.notEqual(ok(a, 201).id, ok(b, 201).id)
  })

  test('an unknown query parameter is rejected with its path', async () => {
    assert.deepEqual(issuePaths(await api.call('POST', '/projects', { query: { name: 'a' }, json: { name: 'a' } })), [
      'name',
    ])
  })
})
