import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testCatalogue } from '../test-catalogue.ts'
import { libraryOf } from '../test-plans.ts'
import { createChecker } from './check.ts'

const check = createChecker(testCatalogue)

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `p${i}`)
}

const one = { nodes: { a: { type: 'make' } }, output: { node: 'a' } }

describe('the size of a workflow with those that it uses', () => {
  const parameters = namesOf(5).map((name) => ({ name, type: 'string', default: 'x'.repeat(90_000) }))
  const large = { ...one, parameters }

  it('counts all of the documents, not only their nodes', () => {
    const names = ['a', 'b', 'c']
    const usable = libraryOf(check, Object.fromEntries(names.map((name) => [name, large])))
    const use = (count: number) => ({
      name: 'T',
      nodes: Object.fromEntries(
        names.slice(0, count).map((name) => [name, { type: 'workflow', workflow: `${name}@1` }]),
      ),
      output: { node: 'a' },
    })
    assert.deepEqual(check(use(2), usable).issues, undefined)
    const [issue] = check(use(3), usable).issues ?? []
    assert.match(issue?.message ?? '', /^must have at most 1048576 bytes with the workflows that it uses, not 13/)
  })

  it('counts the characters in the templates of all, because their memory follows from them', () => {
    const template = '{{ p }}'.repeat(1_000)
    const long = ['n0', 'n1', 'n2', 'n3'].map((name) => [name, { type: 'make', when: template }])
    const parameters = [{ name: 'p', type: 'string', default: 'x' }]
    const inner = { ...one, parameters, nodes: { ...one.nodes, ...Object.fromEntries(long) } }
    const usable = libraryOf(check, { a: inner, b: inner, c: inner })
    const use = (...names: string[]) => ({
      name: 'T',
      nodes: Object.fromEntries(names.map((name) => [name, { type: 'workflow', workflow: `${name}@1` }])),
      output: { node: 'a' },
    })
    assert.deepEqual(check(use('a', 'b'), usable).issues, undefined)
    const [issue] = check(use('a', 'b', 'c'), usable).issues ?? []
    assert.match(
      issue?.message ?? '',
      /^must have at most 65536 characters in all templates together with those of the workflows that it uses, not 84000/,
    )
  })
})

describe('the image parameters of a workflow that is used by several others', () => {
  it('are searched once, however many nodes wire them', () => {
    const names = namesOf(40)
    const parameters = names.map((name) => ({ name, type: 'string', format: 'image' }))
    const usable = libraryOf(check, { w: { ...one, parameters } })
    const used = usable.get('w@1')
    assert.ok(used && 'workflow' in used)
    const { order } = used.workflow
    let searches = 0
    Object.defineProperty(used.workflow, 'order', {
      get: () => {
        searches += 1
        return order
      },
    })
    const inputs = Object.fromEntries(names.map((name) => [name, 'made']))
    const uses = ['u0', 'u1', 'u2'].map((id) => [id, { type: 'workflow', workflow: 'w@1', inputs }])
    const nodes = { made: { type: 'make' }, ...Object.fromEntries(uses) }
    assert.deepEqual(check({ name: 'T', nodes, output: { node: 'u0' } }, usable).issues, undefined)
    assert.equal(searches, 1)
  })
})
