import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { failure } from '../errors.ts'
import type { Act, CliModels } from './cli-services.ts'

export function modelCommands(program: Command, act: Act<CliModels>): void {
  const commands = program.command('models').description('Manage local models, which run without a provider key.')
  commands
    .command('list', { isDefault: true })
    .description('List models with their status, license and size.')
    .option('--json', 'print one JSON value')
    .action(({ json }: { json?: boolean }) =>
      act(
        async (models) => {
          const rows = models.list()
          // The sentences are too long for a table that reads well.
          return json === true ? rows : rows.map(({ summary: _, ...row }) => row)
        },
        { json: json === true },
      ),
    )
  commands
    .command('add <name>')
    .description('Install a model into the data directory; the first one also installs the runtime.')
    .option('--yes', 'accept a license that is not permissive')
    .option('--json', 'print one JSON value')
    .action((name: string, { yes, json }: { yes?: boolean; json?: boolean }) =>
      act(
        async (models) => {
          const question = yes === true ? undefined : models.question(name)
          if (question !== undefined && !(await agrees(question))) {
            throw failure('input_invalid', `"${name}" was not installed.`)
          }
          return models.add(name)
        },
        { json: json === true },
      ),
    )
  commands
    .command('remove <name>')
    .description('Remove an installed model.')
    .option('--json', 'print one JSON value')
    .action((name: string, { json }: { json?: boolean }) =>
      act(async (models) => models.remove(name), { json: json === true }),
    )
}

/** Asks the user. Without a terminal, an option must have answered. */
async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw failure('input_invalid', `${question} Add --yes to install it.`)
  // Standard output is for results.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question}\nInstall it? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
