import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { closeBraces, complete, completionsAt, typeOver } from './completion.ts'
import type { TemplateName } from './names.ts'

const names: TemplateName[] = [
  { name: 'headline', type: 'text', description: '' },
  { name: 'width', type: 'number', description: 'Of the card' },
  { name: 'nodes.photo.width', type: 'number', description: '' },
  { name: 'nodes.photo.height', type: 'number', description: '' },
  { name: 'nodes.photo-2.width', type: 'number', description: '' },
]

const person: ValueSchema = {
  type: 'object',
  properties: { name: { type: 'string', description: 'As printed' }, photo: { type: 'string', format: 'image' } },
}
const typed: TemplateName[] = [
  ...names,
  { name: 'people', type: 'list', description: '', schema: { type: 'array', items: person } },
  {
    name: 'product',
    type: 'fields',
    description: '',
    schema: { type: 'object', properties: { title: { type: 'string' }, seller: person } },
  },
  { name: 'item', type: 'fields', description: '', schema: person },
]

/** `^` in the text is the caret. */
function labelsAt(marked: string, known = names): string[] | undefined {
  const caret = marked.indexOf('^')
  return completionsAt(marked.replace('^', ''), caret, known)?.options.map(({ label }) => label)
}

function completed(marked: string, label: string): string {
  const caret = marked.indexOf('^')
  const text = marked.replace('^', '')
  const open = completionsAt(text, caret, names)
  const option = open?.options.find((each) => each.label === label)
  assert.ok(open && option, `${label} is not offered in ${marked}`)
  const completion = complete(text, open, option)
  return `${completion.text.slice(0, completion.caret)}^${completion.text.slice(completion.caret)}`
}

test('offers nothing in plain text, in strings, or after a complete name', () => {
  assert.equal(labelsAt('wid^'), undefined)
  assert.equal(labelsAt('{{ width }} wid^'), undefined)
  assert.equal(labelsAt("{{ 'wid^' }}"), undefined)
  assert.equal(labelsAt('{{ "it\'s" | append: \'wid^ }}'), undefined)
  assert.equal(labelsAt('{{ width ^}}'), undefined)
})

test('parameters come first, then nodes, and typed letters match anywhere in a name', () => {
  assert.deepEqual(labelsAt('{{ ^ }}'), ['headline', 'width', 'nodes'])
  assert.deepEqual(labelsAt('{{ wid^ }}'), ['width', 'nodes.photo.width', 'nodes.photo-2.width'])
  assert.deepEqual(labelsAt('{{ line^'), ['headline'])
  assert.deepEqual(labelsAt('{% if head^ %}'), ['headline'])
  assert.deepEqual(labelsAt('{% if headline contains ^ %}'), ['headline', 'width', 'nodes'])
})

test('nodes are completed part by part, including ids with dashes', () => {
  assert.deepEqual(labelsAt('{{ nodes.^ }}'), ['nodes.photo', 'nodes.photo-2'])
  assert.deepEqual(labelsAt('{{ nodes.photo-2.^ }}'), ['nodes.photo-2.width'])
  assert.deepEqual(labelsAt('{{ nodes.photo.he^ }}'), ['nodes.photo.height'])
})

test('offers filters after a bar, with their arguments', () => {
  assert.deepEqual(labelsAt('{{ headline | trunc^ }}'), ['truncate: length', 'truncatewords: count'])
  assert.equal(completed('{{ headline | trunc^ }}', 'truncate: length'), '{{ headline | truncate: ^ }}')
  assert.equal(completed('{{ headline | upc^ }}', 'upcase'), '{{ headline | upcase^ }}')
})

test('a completion replaces the entire name at the caret', () => {
  assert.equal(completed('{{ he^adl }}', 'headline'), '{{ headline^ }}')
  assert.equal(completed('{{ nod^ }}', 'nodes'), '{{ nodes.^ }}')
  assert.equal(completed('{{ nodes.ph^.width }}', 'nodes.photo'), '{{ nodes.photo.^ }}')
})

test('the fields of a JSON parameter are completed, at every level', () => {
  assert.deepEqual(labelsAt('{{ product.^ }}', typed), ['product.title', 'product.seller'])
  assert.deepEqual(labelsAt('{{ product.ti^', typed), ['product.title'])
  assert.deepEqual(labelsAt('{{ product.seller.^ }}', typed), ['product.seller.name', 'product.seller.photo'])
  assert.deepEqual(labelsAt('{{ people.^ }}', typed), ['people[0]', 'people.last', 'people.size'])
  assert.deepEqual(labelsAt('{{ people[^ }}', typed), ['people[0]'])
  assert.deepEqual(labelsAt('{{ people[0].^ }}', typed), ['people[0].name', 'people[0].photo'])
  assert.deepEqual(labelsAt('{{ people.last.na^ }}', typed), ['people.last.name'])
  assert.deepEqual(labelsAt('{{ item.ph^ }}', typed), ['item.photo'])
  assert.equal(labelsAt('{{ product.title.^ }}', typed), undefined)
  assert.equal(labelsAt('{{ product.colour.^ }}', typed), undefined)
})

test('the variable of a loop has the fields of the items', () => {
  const loop = '{% for person in people %}{{ person.^ }}{% endfor %}'
  assert.deepEqual(labelsAt(loop, typed), ['person.name', 'person.photo'])
  assert.deepEqual(labelsAt('{% for person in people %}{{ pers^ }}', typed), ['person'])
  assert.equal(labelsAt('{% for x in headline %}{{ x.^ }}', typed), undefined)
})

test('an index that is a name is completed as a name', () => {
  assert.deepEqual(labelsAt('{{ people[wid^ }}', typed), ['width', 'nodes.photo.width', 'nodes.photo-2.width'])
})

test('opening braces are closed automatically, once', () => {
  assert.deepEqual(closeBraces('a {{', 4), { text: 'a {{  }}', caret: 5 })
  assert.deepEqual(closeBraces('{{ and {{ x }}', 2), { text: '{{  }} and {{ x }}', caret: 3 })
  assert.equal(closeBraces('{{ width }}', 2), undefined)
  assert.equal(closeBraces('{ {', 3), undefined)
})

test('typing the closing braces that were added automatically ends the template without duplicates', () => {
  const typed = (text: string) =>
    [...text].reduce(
      ({ text, caret }, key) => {
        const over = typeOver(text, caret, key)
        if (over !== undefined) return over
        const next = text.slice(0, caret) + key + text.slice(caret)
        return closeBraces(next, caret + 1) ?? { text: next, caret: caret + 1 }
      },
      { text: '', caret: 0 },
    )
  for (const text of ['{{ width }}', '{{ width | minus: 128 }} px', '{{ a }}{{ b }}', "{{ 'x' }}"])
    assert.deepEqual(typed(text), { text, caret: text.length })
  assert.equal(typed('{{width}}').text, '{{ width }}')
  assert.equal(typed('a } b }} c').text, 'a } b }} c')
})
