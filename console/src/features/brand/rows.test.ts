import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueOf, nameProblem, newRow, otherIssues, rowsOfFile, toRow, toRows, toValues } from './rows.ts'

const values = {
  primary: { type: 'color', value: 'teal', description: 'Buttons' },
  slogan: { type: 'text', value: '' },
} as const

test('rows have all values of a brand, and the other way around', () => {
  assert.deepEqual(toValues(toRows(values)), values)
  assert.deepEqual(toValues(rowsOfFile({ values }) ?? []), values)
})

test('a new row has a name that is free', () => {
  const rows = toRows(values)
  assert.equal(newRow('color', rows).name, 'primary2')
  assert.equal(newRow('color', [...rows, newRow('color', rows)]).name, 'primary3')
  assert.equal(newRow('image', rows).name, 'logo')
})

test('a name must be a valid one, and used once', () => {
  const rows = [
    toRow('a', values.slogan),
    toRow('a', values.slogan),
    toRow('b c', values.slogan),
    toRow('', values.slogan),
  ]
  const problems = rows.map((row) => nameProblem(row, rows))
  assert.deepEqual(
    problems.map((problem) => problem?.split(' ')[0]),
    ['"a"', '"a"', 'Use', 'Enter'],
  )
  const [first] = toRows(values)
  assert.equal(first && nameProblem(first, toRows(values).slice(1)), undefined)
})

test('issues are shown at their field, and the others together', () => {
  const rows = toRows(values)
  const issues = [
    { path: 'values.primary.value', message: 'must be a colour' },
    { path: 'values', message: 'must have at most 100' },
  ]
  assert.deepEqual(
    rows.map((row) => issueOf(row, 'value', issues)),
    ['must be a colour', undefined],
  )
  assert.deepEqual(otherIssues(rows, issues), issues.slice(1))
})

test('a file without brand values, or with a value of an unknown type, is rejected', () => {
  for (const content of [
    null,
    [],
    {},
    { values: [] },
    { values: { a: 'b' } },
    { values: { a: { type: 'x', value: '' } } },
  ])
    assert.equal(rowsOfFile(content), undefined, JSON.stringify(content))
  assert.deepEqual(rowsOfFile({ values: {} }), [])
})
