import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { Fault, refusal } from '../errors.ts'
import type { Act, CliModels, ModelChoice, ModelRow } from './cli-services.ts'

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
          return json === true ? rows : rows.map(shortRow)
        },
        { json: json === true },
      ),
    )
  commands
    .command('add [name]')
    .description(
      'Install a model into the data directory, by its name or with a manifest; the first one also installs the runtime.',
    )
    .option('--manifest <file>', 'install your own ONNX model, which this YAML file describes')
    .option('--file <path>', 'use this ONNX file, which you have downloaded, instead of the one in the manifest')
    .option('--yes', 'accept a license that is not permissive')
    .option('--json', 'print one JSON value')
    .action((name: string | undefined, options: AddOptions) =>
      act(
        async (models) => {
          const choice = choiceOf(name, options)
          const question = options.yes === true ? undefined : await models.question(choice)
          if (question !== undefined && !(await agrees(question))) {
            throw refusal('The model was not installed.')
          }
          return models.add(choice)
        },
        { json: options.json === true },
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

interface AddOptions {
  manifest?: string
  file?: string
  yes?: boolean
  json?: boolean
}

function choiceOf(name: string | undefined, { manifest, file }: AddOptions): ModelChoice {
  if (name !== undefined && manifest === undefined) return { name, file }
  if (manifest !== undefined && name === undefined) return { manifest, file }
  throw new Fault('invalid_request', 'Either a name or --manifest is required. "tintype models list" lists the names..')
}

/** The rest is too long for a table. */
function shortRow({ summary: _, file: __, hash: ___, package: source, ...row }: ModelRow) {
  return { ...row, source: source ?? 'ONNX file' }
}

/** Asks the user. Without a terminal, an option must have answered. */
async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw refusal(`${question} Add --yes to install it.`)
  // Standard output is for results.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question}\nInstall it? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
