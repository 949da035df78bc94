import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { commandHelp } from './help.ts'
import { type CliOptions, createProgram } from './program.ts'

const program = createProgram({ version: '' } as CliOptions, () => {})
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
const nameOf = (command: Command): string =>
  command.parent === program ? command.name() : `${nameOf(command.parent as Command)} ${command.name()}`
const commands = leaves(program).filter((command) => command.name() !== 'complete')

test('each command has a sentence, two examples of itself and a page of the guide', () => {
  assert.ok(commands.length > 20)
  assert.deepEqual(commands.map(nameOf).sort(), Object.keys(commandHelp).sort())
  for (const command of commands) {
    const name = nameOf(command)
    assert.match(command.description(), /^[A-Z].*\.$/, name)
    const { examples, page } = commandHelp[name] ?? { examples: [], page: '' }
    assert.ok(examples.length >= 2, name)
    // Without a command, the service starts.
    for (const [line] of examples)
      assert.ok(line.includes(`tintype ${name}`) || (name === 'serve' && line === 'tintype'), line)
    assert.ok(existsSync(join(import.meta.dirname, '../../docs/guide', `${page}.md`)), page)
  }
})

test('the options in examples exist, and the required ones are in each example', () => {
  for (const command of commands) {
    const required = command.options.flatMap(({ long, mandatory }) => (mandatory && long ? [long] : []))
    const known = command.options.map(({ long }) => long)
    for (const [line] of commandHelp[nameOf(command)]?.examples ?? []) {
      for (const [option] of line.matchAll(/--[a-z-]+/g)) assert.ok(known.includes(option), `${line}: ${option}`)
      for (const option of required) assert.ok(line.includes(option), `${line}: ${option} is missing`)
    }
  }
})
