import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../limits.ts'
import { createChecker } from '../check/check.ts'
import type { CheckedWorkflow } from '../check/checked-workflow.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { planExecution } from './plan.ts'

const check = createChecker(testCatalogue)

function workflow(document: object): CheckedWorkflow {
  const { workflow: checked, issues } = check({ name: 'Test', output: { node: 'a' }, ...document })
  assert.deepEqual(issues, undefined)
  return checked as CheckedWorkflow
}

const card = workflow({
  parameters: [
    { name: 'width', type: 'number', default: 100, minimum: 10, maximum: 200 },
    { name: 'title', type: 'string', required: true },
    { name: 'tone', type: 'string', enum: ['red', 'blue'] },
  ],
  nodes: { a: { type: 'make', params: { width: '{{ width | minus: 4 }}', color: '{{ tone | default: "white" }}' } } },
})

describe('parameters', () => {
  it('use their defaults, and templates get the type of the param', () => {
    const { plan } = planExecution(card, { title: 'x' })
    assert.deepEqual(plan?.parameters, { width: 100, title: 'x' })
    assert.deepEqual(plan?.steps[0]?.params, { width: 96, color: 'white', flag: false })
  })
  it('reports all invalid ones together: unknown, missing, wrong type, out of bounds, not in the enum', () => {
    const { issues = [] } = planExecution(card, { titel: 'x', width: '100', tone: 'green' })
    assert.deepEqual(issues.map(({ path }) => path).sort(), [
      'parameters.titel',
      'parameters.title',
      'parameters.tone',
      'parameters.width',
    ])
    assert.match(issues.find(({ path }) => path === 'parameters.width')?.message ?? '', /must be a number, not "100"/)
    for (const width of [9, 201, Number.NaN, []])
      assert.equal(planExecution(card, { title: 'x', width }).issues?.length, 1)
  })
  it('that make a fraction of a whole number name the filter', () => {
    const issue = {
      path: 'nodes.a.params.width',
      message: 'must be a whole number, not 46.5 (a number). Add the filter `round` to the template.',
    }
    assert.deepEqual(planExecution(card, { title: 'x', width: 50.5 }).issues, [issue])
  })
  it('count as omitted if they are null', () => {
    assert.deepEqual(planExecution(card, { title: 'x', width: null }).plan?.parameters, { width: 100, title: 'x' })
    assert.deepEqual(
      planExecution(card, { title: null }).issues?.map(({ path }) => path),
      ['parameters.title'],
    )
  })
  it('are data and never templates', () => {
    const echo = workflow({
      parameters: [{ name: 'c', type: 'string' }],
      nodes: { a: { type: 'make', params: { color: '{{ c }}' } } },
    })
    assert.match(planExecution(echo, { c: '{{ 1 }}' }).issues?.[0]?.message ?? '', /must be a CSS colour.*\{\{ 1 \}\}/)
  })
  it('can have the names of built-in properties of JavaScript objects', () => {
    const odd = workflow({
      parameters: [
        { name: 'constructor', type: 'string' },
        { name: 'toString', type: 'number' },
      ],
      nodes: { a: { type: 'make', params: { width: '{{ toString | default: 7 }}' } } },
    })
    assert.equal(planExecution(odd, {}).plan?.steps[0]?.params?.width, 7)
    assert.equal(planExecution(card, { title: 'x', hasOwnProperty: 1 }).issues?.[0]?.path, 'parameters.hasOwnProperty')
  })
})

describe('rendered values are validated against the schema before execution:', () => {
  const sized = workflow({
    parameters: [{ name: 'w', type: 'string' }],
    nodes: { a: { type: 'make', params: { width: '{{ w }}', flag: '{{ w | size | at_least: 1 }}' } } },
  })
  it('converts numeric text to a number, and rejects other text with its path', () => {
    const whole = workflow({
      parameters: [{ name: 'w', type: 'string' }],
      nodes: { a: { type: 'make', params: { width: '{{ w }}' } } },
    })
    assert.equal(planExecution(whole, { w: '12' }).plan?.steps[0]?.params?.width, 12)
    for (const w of ['twelve', '12px', '1001', '1.5', '0x10', '']) {
      assert.equal(planExecution(whole, { w }).issues?.[0]?.path, 'nodes.a.params.width', w)
    }
  })
  it('rejects a number as a boolean', () => {
    assert.equal(planExecution(sized, { w: '12' }).issues?.[0]?.path, 'nodes.a.params.flag')
  })
  it('an omitted optional parameter leaves the param at its default', () => {
    const whole = workflow({
      parameters: [{ name: 'w', type: 'number' }],
      nodes: { a: { type: 'make', params: { width: '{{ w }}' } } },
    })
    assert.equal(planExecution(whole, {}).plan?.steps[0]?.params?.width, 10)
  })
  it('stops templates that loop, grow or nest without end', () => {
    const grow = '{% assign s = "aaaaaaaaaa" %}{% for i in (1..30) %}{% assign s = s | append: s %}{% endfor %}{{ s }}'
    const loop = '{% for i in (1..9000) %}{% for j in (1..9000) %}{% endfor %}{% endfor %}'
    const nested = `${'{% if true %}'.repeat(700)}x${'{% endif %}'.repeat(700)}`
    const pad = "{{ 'now' | date: '%999999999d' }}"
    const capture =
      '{% assign s = "xxxxxxxxxx" %}{% for i in (1..64) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s }}'
    for (const color of [grow, loop, pad, nested, capture]) {
      const { workflow: checked, issues } = check({
        name: 'T',
        nodes: { a: { type: 'make', params: { color } } },
        output: { node: 'a' },
      })
      const found = issues ?? planExecution(checked as CheckedWorkflow, {}).issues ?? []
      assert.equal(found[0]?.path, 'nodes.a.params.color', color.slice(0, 40))
    }
  })
  it('checks the first 1000 items of lists; the execution checks the rest', () => {
    const width = '{% if item == 100 %}wrong{% else %}1{% endif %}'
    const over = (count: number) => {
      const lists = Array.from({ length: count }, (_, at): [string, object] => [
        `n${at}`,
        { type: 'make', each: 100, params: { width: at === count - 1 ? width : '{{ item }}' } },
      ])
      const more = lists.map(([id]) => id)
      const a = { type: 'join', inputs: { image: 'base', more } }
      return planExecution(workflow({ nodes: { ...Object.fromEntries(lists), base: { type: 'make' }, a } }), {})
    }
    assert.equal(over(10).issues?.[0]?.path, 'nodes.n9.params.width')
    assert.equal(over(11).issues, undefined)
  })
  it('limits the work for all items; the execution reports later problems', () => {
    const text = `{% for i in (1..400) %}{% endfor %}{% if item == 100 %}wrong{% else %}1{% endif %}`
    const lists = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`n${at}`, { type: 'make', each: 100, params: { width: text } }]),
    )
    const a = { type: 'join', inputs: { image: 'base', more: Object.keys(lists) } }
    const { issues } = planExecution(workflow({ nodes: { ...lists, base: { type: 'make' }, a } }), {})
    assert.equal(issues?.length, 1)
    assert.equal(issues?.[0]?.path, 'nodes.n0.params.width')
  })
  it('limits the work of the templates of all nodes together', () => {
    const busy = '{% for i in (1..1000) %}{% assign k = i %}{% endfor %}red'
    const of = (count: number) =>
      workflow({
        nodes: {
          ...Object.fromEntries(
            Array.from({ length: count }, (_, at) => [`n${at}`, { type: 'make', params: { color: busy } }]),
          ),
          base: { type: 'make' },
          a: { type: 'join', inputs: { image: 'base', more: Array.from({ length: count }, (_, at) => `n${at}`) } },
        },
      })
    assert.equal(planExecution(of(5), {}).issues, undefined)
    const { issues = [] } = planExecution(of(60), {})
    assert.match(issues.at(-1)?.message ?? '', /templates of the workflow together exceed the time limit/)
    assert.ok(issues.length <= limits.issuesMax)
  })
})

describe('when', () => {
  const branchy = workflow({
    parameters: [{ name: 'headline', type: 'string', default: 'Old' }],
    nodes: {
      photo: { type: 'make' },
      ribbon: { type: 'make', params: { width: '{{ headline | size | times: 0 }}' } },
      a: { type: 'join', when: "{{ headline contains 'New' }}", inputs: { image: 'photo', overlay: 'ribbon' } },
    },
  })
  it('skips the node if it is false, together with the nodes that only it needs and their params', () => {
    const { plan } = planExecution(branchy, {})
    assert.deepEqual(
      plan?.steps.map(({ node, action }) => [node.id, action]),
      [
        ['photo', 'run'],
        ['ribbon', 'unneeded'],
        ['a', 'skip'],
      ],
    )
  })
  it('executes everything if it is true', () => {
    assert.equal(planExecution(branchy, { headline: 'New!' }).issues?.[0]?.path, 'nodes.ribbon.params.width')
  })
  for (const [text, action] of [
    ['{{ "" }}', 'skip'],
    ['{{ 0 }}', 'skip'],
    ['{{ false }}', 'skip'],
    ['{{ x }}', 'skip'],
    ['{{ nil }}', 'skip'],
    ['{{ empty }}', 'skip'],
    ['{{ "0.0" }}', 'run'],
    ['{{ 1 }}', 'run'],
  ] as const) {
    it(`${text} means ${action}`, () => {
      const one = workflow({
        parameters: [{ name: 'x', type: 'string' }],
        nodes: { p: { type: 'make' }, a: { type: 'join', when: text, inputs: { image: 'p' } } },
      })
      assert.equal(planExecution(one, {}).plan?.steps.at(-1)?.action, action)
    })
  }
})

it('reports an invalid item of a list before execution, with its index', () => {
  const { workflow } = check({
    name: 'Test',
    nodes: {
      one: { type: 'make' },
      cards: { type: 'make', each: '{{ widths | split: "," }}', params: { width: '{{ item }}' } },
      all: { type: 'join', inputs: { image: 'one', more: ['cards'] } },
    },
    parameters: [{ name: 'widths', type: 'string', required: true }],
    output: { node: 'all' },
  })
  assert.ok(workflow)
  assert.deepEqual(planExecution(workflow, { widths: '3,4' }).issues, undefined)
  const [issue] = planExecution(workflow, { widths: '3,4000,-1' }).issues ?? []
  assert.equal(issue?.path, 'nodes.cards.params.width')
  assert.match(issue?.message ?? '', /1000.*\(item 2\)/)
  const many = Array.from({ length: 101 }, () => 1).join(',')
  assert.match(JSON.stringify(planExecution(workflow, { widths: many }).issues), /nodes\.cards\.each/)
})
