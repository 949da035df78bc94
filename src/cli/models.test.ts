import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { Fault } from '../errors.ts'
import type { CliModels, ModelRow } from './cli-services.ts'
import { modelCommands } from './models.ts'

/** One model that needs no question, and one that does. */
function models(): CliModels & { added: string[] } {
  const added: string[] = []
  const row = (name: string): ModelRow => ({
    name,
    operation: 'upscale',
    installed: added.includes(name),
    licence: 'MIT',
    size: '1 MB',
    package: `${name}@1.0.0`,
    summary: 'A model.',
  })
  return {
    added,
    list: () => ['plain', 'copyleft'].map(row),
    question: (name) => (name === 'copyleft' ? 'copyleft has terms.' : undefined),
    async add(name) {
      added.push(name)
      return row(name)
    },
    remove: async (name) => row(name),
    close: () => Promise.resolve(),
  }
}

/** What a command line gives. */
async function run(opened: CliModels, ...args: string[]): Promise<unknown> {
  let result: unknown
  const program = new Command().exitOverride()
  modelCommands(program, async (work) => {
    result = await work(opened)
  })
  await program.parseAsync(['models', ...args], { from: 'user' })
  return result
}

test('lists models by default, and their properties as JSON', async () => {
  const listed = (await run(models())) as ModelRow[]
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['plain', 'copyleft'],
  )
  assert.ok(listed.every((row) => !('summary' in row)))
  assert.equal(((await run(models(), 'list', '--json')) as ModelRow[])[0]?.summary, 'A model.')
})

test('requires the option that accepts the terms if no terminal is attached', async (t) => {
  if (process.stdin.isTTY) return t.skip('somebody sits at a terminal')
  const opened = models()
  await assert.rejects(run(opened, 'add', 'copyleft'), (error) => {
    return error instanceof Fault && /copyleft has terms\. Add --yes/.test(error.message)
  })
  assert.deepEqual(opened.added, [])
  await run(opened, 'add', 'copyleft', '--yes')
  await run(opened, 'add', 'plain')
  assert.deepEqual(opened.added, ['copyleft', 'plain'])
})
