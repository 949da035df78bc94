import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filters } from 'liquidjs'
import { templateLimits as limits } from '../limits.ts'
import { parseTemplate, TemplateProblem } from './template.ts'

const budget = () => ({ unitsLeft: limits.templatesUnitsMax, processorMs: () => 0 })

function problemOf(text: string, scope: Record<string, unknown> = {}, shared = budget()): string {
  try {
    parseTemplate(text).evaluate(scope, shared)
  } catch (error) {
    assert.ok(error instanceof TemplateProblem, String(error))
    assert.ok(error.overLimit, error.message)
    return error.message
  }
  assert.fail('was rendered')
}

it('stops a template that never ends', () => {
  const text = '{% for i in (1..20000) %}{% for j in (1..20000) %}{% assign k = j %}{% endfor %}{% endfor %}'
  assert.match(problemOf(text), /exceeds the (time|memory) limit/)
})

it('stops many templates together that are cheap alone', () => {
  const template = parseTemplate('{% for i in (1..100) %}{% assign k = i %}{% endfor %}')
  const shared = budget()
  assert.throws(
    () => {
      for (;;) template.evaluate({}, shared)
    },
    (error) =>
      error instanceof TemplateProblem && error.overLimit && /together exceed the time limit/.test(error.message),
  )
})

it('an ordinary template uses a small part of the limit of a plan', () => {
  const shared = budget()
  const scope = { name: 'Ada', width: 1200, tags: 'a,b,c', nodes: { photo: { width: 3, height: 4 } } }
  for (const text of [
    '{{ name }}',
    'Hello {{ name | upcase }}',
    '{{ width | times: 2 | at_most: 2048 }}',
    '{% if width > 1000 and name contains "A" %}wide{% else %}narrow{% endif %}',
    '{% assign all = tags | split: "," %}{% for tag in all %}#{{ tag }} {% endfor %}',
    '{{ nodes.photo.width | divided_by: nodes.photo.height }}',
    '{{ "2026-01-02" | date: "%Y-%m-%d" }}',
  ])
    parseTemplate(text).evaluate(scope, shared)
  assert.ok(limits.templatesUnitsMax - shared.unitsLeft < 2_000, String(shared.unitsLeft))
})

it('the same rendering costs the same each time', () => {
  const template = parseTemplate('{% for i in (1..50) %}{{ i | append: name | sha256 }}{% endfor %}')
  const costs = [1, 2, 3].map(() => {
    const shared = budget()
    template.evaluate({ name: 'Ada' }, shared)
    return shared.unitsLeft
  })
  assert.equal(new Set(costs).size, 1)
})

const long = 'a'.repeat(100_000)
const nested = `{% assign a = "x" | split: "" %}${'{% assign b = "" | split: "" | push: a | push: a %}{% assign a = b %}'.repeat(40)}`

// Each has a scope of 100,000 characters, and does nothing that LiquidJS looks at its clock for.
for (const [label, text] of Object.entries({
  'contains in a list': `{% assign a = p | split: "" %}{% if ${Array(45).fill('a contains 1').join(' or ')} %}{% endif %}`,
  'equal lists': `{% assign a = p | split: "" %}{% assign b = p | split: "" %}${'{% if a == b %}{% endif %}'.repeat(40)}`,
  'lists that are ordered as texts': `{% assign a = p | split: "" %}${'{% if a < a %}{% endif %}'.repeat(40)}`,
  'a case of lists': `{% assign a = p | split: "" %}{% case a %}{% when ${Array(100).fill('a').join(', ')} %}{% endcase %}`,
  'cycles of lists': `{% assign a = p | split: "" %}${'{% cycle a: 1, 2 %}'.repeat(100)}`,
  'a long pattern':
    '{% assign q = p | slice: 0, 50000 | append: "b" | append: p %}{% if p contains q %}{% endif %}{{ p | split: q }}',
  remove_last: '{% assign q = p | slice: 0, 50000 | prepend: "b" %}{{ p | remove_last: q }}',
  sort_natural: '{% assign a = p | split: "" | sort_natural | sort_natural %}{{ a | size }}',
  'where_exp with a long expression': '{% assign a = p | split: "" %}{{ a | where_exp: "x", p | size }}',
  'map over a long path': '{% assign a = p | split: "" %}{{ a | map: p | size }}',
  'dates in words': `{% assign f = "%c%x%X" %}${'{{ 0 | date: f }}'.repeat(100)}`,
  'lists that contain each other': `${nested}{{ a }}`,
  'lists that contain each other, joined': `${nested}{{ a | join: "" | size }}`,
  'lists that contain each other, compared': `${nested}{% assign c = a %}{% if a == c %}{% endif %}`,
  'loops over nothing': `{% assign a = p | split: "" %}${'{% for i in a limit: 0 %}{% endfor %}'.repeat(200)}`,
  'an expression of literals in a loop': `{% for i in (1..5000) %}{% if false %}${'{% elsif false %}'.repeat(500)}{% endif %}{% endfor %}`,
}))
  it(`is stopped by its cost: ${label}`, () => {
    assert.match(problemOf(text, { p: long }), /exceeds the (time|memory) limit|nested too deeply/)
  })

it('numbers in texts are read once, and not for each character or cell', () => {
  let reads = 0
  const three = {
    valueOf() {
      reads += 1
      return 3
    },
  }
  assert.equal(parseTemplate('{{ p | slice: 0, n }}').evaluate({ p: long, n: three }, budget()), 'aaa')
  parseTemplate('{% tablerow i in (1..9) cols: n %}{% endtablerow %}').evaluate({ n: three }, budget())
  assert.equal(reads, 2)
  assert.equal(parseTemplate('{{ p | slice: f, t }}').evaluate({ p: 'abcdef', f: '-4', t: '3' }, budget()), 'cde')
  const list = '{% assign l = "a,b,c,d" | split: "," %}'
  assert.equal(parseTemplate(`${list}{{ l | slice: "1", "2" | join }}`).evaluate({}, budget()), 'b c')
  assert.equal(
    parseTemplate('{% tablerow i in (1..3) cols: c %}{{ i }}{% endtablerow %}').evaluate({ c: '2' }, budget()),
    '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr><tr class="row2"><td class="col1">3</td></tr>',
  )
})

it('an expression has a limited number of operators and filters', () => {
  const ofOperators = (count: number) =>
    `{% if ${Array(count + 1)
      .fill('a')
      .join(' or ')} %}{% endif %}`
  parseTemplate(ofOperators(limits.templateOperatorsMax))
  assert.throws(
    () => parseTemplate(ofOperators(limits.templateOperatorsMax + 1)),
    /at most 100 operators and filters in one expression, not 101/,
  )
  assert.throws(
    () => parseTemplate(`{{ a${' | upcase'.repeat(101)} }}`),
    /at most 100 operators and filters in one expression, not 101/,
  )
})

it('returns lists of limited size', () => {
  assert.equal((parseTemplate('{{ p | split: "" }}').evaluate({ p: 'a'.repeat(2_000) }, budget()) as []).length, 2_000)
  assert.match(problemOf('{{ p | split: "" }}', { p: 'a'.repeat(6_000) }), /at most 5000 values/)
})

it('every filter is charged to its rendering', () => {
  for (const name of Object.keys(filters)) {
    if (name === 'sample') continue
    const shared = budget()
    const arg = name.endsWith('_exp') ? ': "x", "x"' : ['append', 'prepend'].includes(name) ? ': "b"' : ''
    try {
      parseTemplate(`{% assign b = a | ${name}${arg} %}`).evaluate({ a: 'x' }, shared)
    } catch (error) {
      assert.ok(error instanceof TemplateProblem)
    }
    const spent = limits.templatesUnitsMax - shared.unitsLeft
    const plain = budget()
    parseTemplate('{% assign b = a %}').evaluate({ a: 'x' }, plain)
    assert.ok(spent > limits.templatesUnitsMax - plain.unitsLeft, name)
  }
})
