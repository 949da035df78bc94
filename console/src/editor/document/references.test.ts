import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyParameter, referencesIn, renameIn } from './references.ts'

const found = (text: string) => referencesIn(text).map(({ kind, name }) => `${kind} ${name}`)

const readings: [text: string, names: string[]][] = [
  ['{{ width }}', ['parameter width']],
  ['{{- width-}} px', ['parameter width']],
  ['{{ width | minus: 128 | at_most: max }}', ['parameter width', 'parameter max']],
  ['{{ nodes.photo.width | plus: margin }}', ['node photo', 'parameter margin']],
  ['{{ nodes["my-photo"].width }}', ['node my-photo']],
  ["{% if headline contains 'New' and not old %}x{% endif %}", ['parameter headline', 'parameter old']],
  ['{% assign w = width | times: 2 %}{{ w }}', ['parameter width']],
  ['{% for name in names %}{{ name.first }}{% endfor %}', ['parameter names']],
  ['{% raw %}{{ width }}{% endraw %}{{ height }}', ['parameter height']],
  ['{% comment %}{{ width }}{% endcomment %}', []],
  ['{{ \'width\' }} and {{ "}} width" }}', []],
  ['{{ size.width }}', ['parameter size']],
  ['width', []],
]
for (const [text, names] of readings) {
  test(`finds the references of ${text}`, () => assert.deepEqual(found(text), names))
}

test('renaming changes the references to a name, and nothing else', () => {
  assert.equal(
    renameIn('{{ width }} width {{ "width" }} {{ a.width | width: width }}', 'parameter', 'width', 'w'),
    '{{ w }} width {{ "width" }} {{ a.width | width: w }}',
  )
  assert.equal(
    renameIn('{{ nodes.a.width }}{{ a }}{{ nodes["a"].x }}', 'node', 'a', 'photo'),
    '{{ nodes.photo.width }}{{ a }}{{ nodes["photo"].x }}',
  )
})

test('only a text that is nothing but a name is that parameter', () => {
  assert.equal(onlyParameter(' {{ width }} '), 'width')
  assert.equal(onlyParameter('{{- width -}}'), 'width')
  assert.equal(onlyParameter('{{ width | minus: 1 }}'), undefined)
  assert.equal(onlyParameter('x{{ width }}'), undefined)
})
