import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Font } from '../domain/accounts/font.ts'
import { timestamp } from '../domain/clock.ts'
import { invalidRequest } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliServices } from './cli-services.ts'
import { nameOption } from './options.ts'

interface Options {
  account?: string
  family?: string
  json?: boolean
}

export function fontCommands(program: Command, act: Act<CliServices>): void {
  const commands = program.command('fonts').description('Manage the fonts of an account.')
  commands
    .command('add <file...>')
    .description('Upload fonts: TTF, OTF or WOFF2.')
    .option('--account <id>', 'account; required if there are several')
    .option('--family <name>', 'name of the font family (default: the name in the file)', nameOption)
    .option('--json', 'print one JSON value')
    .action((files: string[], { account, family, json }: Options) =>
      act(
        async (app) => {
          const accountId = await accountIdOf(app, account)
          const added: Font[] = []
          for (const file of files) added.push(await add(app, accountId, file, family))
          return added.map(show)
        },
        { json: json === true },
      ),
    )
  commands
    .command('list')
    .description('List the fonts of an account, newest first.')
    .option('--account <id>', 'account; required if there are several')
    .option('--json', 'print one JSON value')
    .action(({ account, json }: Options) =>
      act(async (app) => (await app.services.fonts.usable(await accountIdOf(app, account))).map(show), {
        json: json === true,
      }),
    )
  commands
    .command('remove <id>')
    .description('Delete a font.')
    .option('--account <id>', 'account; required if there are several')
    .option('--json', 'print one JSON value')
    .action((id: string, { account, json }: Options) =>
      act(
        async (app) => {
          await app.services.fonts.remove(await accountIdOf(app, account), id)
          return { id, deleted: true }
        },
        { json: json === true },
      ),
    )
}

async function add({ services }: CliServices, accountId: string, file: string, family?: string): Promise<Font> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw invalidRequest([{ path: file, message: `can't be read (${error.code})` }])
  })
  const staged = await services.images.stage(once(bytes))
  return services.fonts.store(accountId, staged, family === undefined ? {} : { family })
}

function show({ id, family, format, weightMin, weightMax, italic, size, createdAt }: Font) {
  const weight = weightMin === weightMax ? `${weightMin}` : `${weightMin}-${weightMax}`
  return { id, family, weight, italic, format, size, createdAt: timestamp(createdAt) }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
