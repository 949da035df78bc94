import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Markup } from './language.ts'
import { parseTemplate } from './template.ts'

const render = (text: string, scope: Record<string, unknown>, markup?: Markup) =>
  parseTemplate(text, markup).evaluate(scope, { unitsLeft: 100_000, processorMs: () => 0 })

const hostile = `<script>"x" & 'y'</script>`
const escaped = '&lt;script&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/script&gt;'

describe('values in a template of HTML are escaped', () => {
  const cases: [template: string, expected: string][] = [
    ['<p>{{ a }}</p>', `<p>${escaped}</p>`],
    ['{{ a }}', escaped],
    ['{% echo a %}', escaped],
    ['{% cycle a, a %}', escaped],
    ['{% assign b = a %}{{ b }}', escaped],
    ['{% liquid\n echo a\n%}', escaped],
    ['{% for each in list %}{{ each }},{% endfor %}', `${escaped},1,`],
    ['{{ list }}', `${escaped}1`],
    ['{{ a | append: a | truncate: 9 }}', '&lt;scrip...'],
    ['{{ a | newline_to_br }}', escaped],
    ['{{ "<b>" }}', '&lt;b&gt;'],
    // Once, if the template does it already.
    ['{{ a | escape }}', escaped.replaceAll('&quot;', '&#34;')],
    ['{{ a | raw }}', hostile],
    ['{% if a contains "<" %}1{% endif %}{{ n }}{{ missing | default: "-" }}', '17-'],
  ]
  for (const [template, expected] of cases)
    test(template, () =>
      assert.equal(render(template, { a: hostile, list: [hostile, 1], n: 7, missing: null }, 'html'), expected),
    )
})

describe('values in a template of CSS stay values', () => {
  const cases: [value: unknown, expected: string][] = [
    ['#ff0000', '#ff0000'],
    ['rgb(1 2 3 / 50%)', 'rgb(1 2 3 / 50%)'],
    [12.5, '12.5'],
    ['Noto Sans, serif', 'Noto Sans, serif'],
    ['red; } body { color: blue', 'red\\3b  \\7d  body \\7b  color: blue'],
    ['url(', 'url\\28 '],
    ['a") /* @import', 'a\\22 \\29  \\2f * \\40 import'],
    ['red !important', 'red \\21 important'],
    ['</style>', '\\3c /style\\3e '],
    ['a\\62', 'a\\5c 62'],
  ]
  for (const [value, expected] of cases)
    test(JSON.stringify(value), () =>
      assert.equal(render('a { color: {{ a }} }', { a: value }, 'css'), `a { color: ${expected} }`),
    )
})

test('other templates are not escaped', () => {
  assert.equal(render('<p>{{ a }}</p>', { a: hostile }), `<p>${hostile}</p>`)
})
