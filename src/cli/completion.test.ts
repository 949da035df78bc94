import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionsOf } from './completion.ts'
import { type CliOptions, createProgram } from './program.ts'

const program = createProgram({ version: '' } as CliOptions, () => {})
const completed = (...words: string[]) => {
  const { values, directive } = completionsOf(program, words)
  return [values.map(([value]) => value).join(' '), directive]
}

test('commands, subcommands, options and their values are completed', () => {
  assert.deepEqual(completed('exec'), ['executions', 4])
  assert.deepEqual(completed('workflows', 'channel', 'roll'), ['rollback', 4])
  assert.deepEqual(completed('workflows', 'run', 'wf_1', '--fol'), ['--follow', 4])
  assert.deepEqual(completed('images', 'list', '--limit', '5', '--source', 'up'), ['upload', 4])
  assert.deepEqual(completed('completion', 'f'), ['fish', 4])
  assert.ok(!String(completed('')[0]).split(' ').includes('complete'))
})

test('names of files are left to the shell where a file is expected, and nowhere else', () => {
  for (const words of [
    ['workflows', 'apply', ''],
    ['workflows', 'apply', 'a.yaml', 'b'],
    ['workflows', 'run', 'wf_1', '--output', ''],
    ['batch', ''],
    ['diff', 'a.yaml', ''],
  ])
    assert.deepEqual(completed(...words), ['', 0], words.join(' '))
  for (const words of [
    ['workflows', 'run', ''],
    ['executions', 'show', 'exec_1', ''],
    ['workflows', 'run', '--param', ''],
  ])
    assert.deepEqual(completed(...words), ['', 4], words.join(' '))
})
