/** `tintype brand`: the brand values of an account or of one of its projects. */
import type { Command } from 'commander'
import { accountIdOf } from './account-option.ts'
import { uploadFrom } from './apply.ts'
import { readBrandFile } from './brand-file.ts'
import type { Act, CliServices } from './cli-services.ts'

interface Options {
  account?: string
  project?: string
  json?: boolean
}

export function brandCommands(program: Command, act: Act<CliServices>): void {
  const commands = program
    .command('brand')
    .description('Manage brand values: colours, fonts, images and texts for all workflows.')
  commands
    .command('export')
    .description('Print the brand values of an account, or of one of its projects, as YAML.')
    .option('--account <id>', 'account; required if there are several')
    .option('--project <id>', 'project (default: the values of the account)')
    .option('--json', 'print them as JSON')
    .action(({ account, project, json }: Options) =>
      act(
        async ({ accounts, services }) => {
          const accountId = await accountIdOf({ accounts }, account)
          const { values } = await services.brands.find({ accountId, projectId: project })
          return json ? { values } : (await import('yaml')).stringify({ values }, { lineWidth: 120 })
        },
        { json: json === true },
      ),
    )
  commands
    .command('apply <file>')
    .description('Replace the brand values by those in a file (YAML or JSON), and save the images that it names.')
    .option('--account <id>', 'account; required if there are several')
    .option('--project <id>', 'project (default: the values of the account)')
    .option('--json', 'print one JSON value')
    .action((file: string, { account, project, json }: Options) =>
      act(
        async ({ accounts, services }) => {
          const accountId = await accountIdOf({ accounts }, account)
          const values = await readBrandFile(file, uploadFrom(file, accountId, services.images))
          const saved = await services.brands.replace({ accountId, projectId: project }, values)
          const rows = Object.entries(saved.values).map(([name, { type, value }]) => ({ name, type, value }))
          return json ? { values: saved.values } : rows
        },
        { json: json === true },
      ),
    )
}
