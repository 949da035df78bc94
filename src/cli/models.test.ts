import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { Fault } from '../errors.ts'
import type { CliModels, ModelChoice, ModelRow } from './cli-services.ts'
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
    file: null,
    hash: null,
    summary: 'A model.',
  })
  return {
    added,
    list: () => ['plain', 'copyleft'].map(row),
    question: async (choice) => (nameOf(choice) === 'copyleft' ? 'copyleft has terms.' : undefined),
    async add(choice) {
      const name = nameOf(choice)
      added.push(name)
      return row(name)
    },
    remove: async (name) => row(name),
    close: () => Promise.resolve(),
  }
}

function nameOf(choice: ModelChoice): string {
  return 'name' in choice ? choice.name : `${choice.manifest} ${choice.file}`
}

/** The output of a command line. */
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

test('adds a model by its name or with a manifest, and not by both or neither', async () => {
  const opened = models()
  await run(opened, 'add', '--manifest', 'my.yaml', '--file', 'my.onnx')
  assert.deepEqual(opened.added, ['my.yaml my.onnx'])
  for (const args of [[], ['plain', '--manifest', 'my.yaml']]) {
    await assert.rejects(run(opened, 'add', ...args), (error) => {
      return error instanceof Fault && /Either a name or --manifest/.test(error.message)
    })
  }
})
