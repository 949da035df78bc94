import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../limits.ts'
import { createChecker } from '../check/check.ts'
import type { CheckedWorkflow } from '../check/checked-workflow.ts'
import { newTemplateBudget } from '../check/template-work.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { type Json, libraryOf } from '../test-plans.ts'
import { type PlanResult, planExecution } from './plan.ts'
import { placedScope } from './template-scopes.ts'

const check = createChecker(testCatalogue)

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `p${i}`)
}

function paramsOf(names: readonly string[], value: string): Json {
  return Object.fromEntries(names.map((name) => [name, value]))
}

function readAll(names: readonly string[]): string {
  return names.map((name) => `{{ ${name} }}`).join('')
}

function declared(names: readonly string[]): Json[] {
  return names.map((name) => ({ name, type: 'string', default: '' }))
}

function use(key: string, params: Json): Json {
  return { type: 'workflow', workflow: `${key}@1`, params }
}

function plannedOf(top: Json, documents: Record<string, Json>): PlanResult {
  const { workflow, issues } = check({ name: 'T', ...top }, libraryOf(check, documents))
  assert.deepEqual(issues, undefined)
  return planExecution(workflow as CheckedWorkflow, {})
}

describe('parameters that wait for values of nodes', () => {
  it('are each placed and rendered once, although each level reads all of the level before', () => {
    const names = namesOf(10)
    const params = paramsOf(names, readAll(names))
    const documents: Record<string, Json> = {
      l1: {
        parameters: declared(names),
        nodes: { a: { type: 'make', params: { color: `{% if p0 %}${readAll(names)}{% endif %}` } } },
        output: { node: 'a' },
      },
    }
    for (let level = 2; level < limits.workflowDepthMax; level += 1)
      documents[`l${level}`] = {
        parameters: declared(names),
        nodes: { w: use(`l${level - 1}`, params) },
        output: { node: 'w' },
      }
    const key = `l${limits.workflowDepthMax - 1}`
    const top = {
      nodes: { first: { type: 'make' }, w: use(key, paramsOf(names, '{{ nodes.first.caption }}')) },
      output: { node: 'w' },
    }
    const { plan } = plannedOf(top, documents)
    const node = plan?.steps.at(-1)?.node
    assert.deepEqual(node?.needs, ['first'])
    assert.deepEqual(
      node?.params.references.map((each) => each.kind === 'value' && each.node),
      ['first'],
    )
    const budget = newTemplateBudget()
    const scope = placedScope(node?.place, { scope: {}, nodes: { first: { caption: '' } }, budget })
    assert.deepEqual(scope, { ...paramsOf(names, ''), nodes: {} })
    assert.ok(budget.unitsLeft > limits.templatesUnitsMax / 2, `${budget.unitsLeft} units are left`)
  })

  it('are refused if nodes read too many of them together', () => {
    const [names, sources] = [namesOf(30), namesOf(40)]
    const inner: Json = {
      parameters: declared(names),
      nodes: {
        ...Object.fromEntries(
          Array.from({ length: 99 }, (_, i) => [`n${i}`, { type: 'make', params: { color: readAll(names) } }]),
        ),
        all: { type: 'gather', inputs: { images: Array.from({ length: 99 }, (_, i) => `n${i}`) } },
      },
      output: { node: 'all' },
    }
    const captions = sources.map((id) => `{{ nodes.${id}.caption }}`).join('')
    const top = {
      nodes: {
        ...Object.fromEntries(sources.map((id) => [id, { type: 'make' }])),
        w: use('inner', paramsOf(names, captions)),
      },
      output: { node: 'w' },
    }
    const { issues } = plannedOf(top, { inner })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['nodes'],
    )
    assert.match(issues?.[0]?.message ?? '', /wait for values of nodes. Read fewer of them/)
  })
})

describe('a parameter with the same value for all items', () => {
  const list = {
    parameters: [
      { name: 'p', type: 'string', format: 'json', schema: { type: 'array', items: { type: 'string' } }, default: [] },
    ],
    nodes: { a: { type: 'make', params: { width: '{{ p | size }}' } } },
    output: { node: 'a' },
  }
  const top = (first: string) => ({
    nodes: {
      w: { ...use('list', { p: [first, ...namesOf(899)] }), each: 100 },
      all: { type: 'gather', inputs: { images: 'w' } },
    },
    output: { node: 'all' },
  })
  it('is read once', () => {
    const { plan, issues } = plannedOf(top('one'), { list })
    assert.deepEqual(issues, undefined)
    const widths = plan?.steps.flatMap(({ node, params }) => (node.operation.id === 'make' ? [params?.width] : []))
    assert.deepEqual(widths, Array(100).fill(900))
  })
  it('is read for each item if a template of it reads the item', () => {
    const { issues } = plannedOf(top('{{ item }}'), { list })
    assert.match(issues?.[0]?.message ?? '', /has too many fields and items/)
  })
})
