import type { Command } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { fileToSend } from './files.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { nameOption } from './options.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

export function fontCommands(program: Command, act: ActOnApi): void {
  const commands = program.command('fonts').description('Manage the fonts of an account.')
  onBoth(
    commands
      .command('add <file...>')
      .option('--family <name>', 'name of the font family (default: the name in the file)', nameOption),
  )
    .description('Upload fonts: TTF, OTF or WOFF2.')
    .action((files: string[], { family, ...options }: TargetOptions & { family?: string }) =>
      act(
        options,
        async ({ client, request }) => {
          const contents = await Promise.all(files.map(fileToSend))
          const added: Schemas['Font'][] = []
          for (const file of contents)
            added.push(await client.fonts.upload({ file, ...(family === undefined ? {} : { family }) }, request))
          return rows(added, show)
        },
        { changes: true },
      ),
    )
  onBoth(commands.command('list').addOption(limitOption()))
    .description('List the fonts of an account, newest first.')
    .action(({ limit, ...options }: TargetOptions & { limit: number }) =>
      act(options, async ({ client, request }) => rows(await firstOf(client.fonts.list({}, request), limit), show)),
    )
  onBoth(commands.command('remove <id>'))
    .description('Delete a font.')
    .action((id: string, options: TargetOptions) =>
      act(
        options,
        async ({ client, request }) => ({ answer: { id, ...(await client.fonts.delete(id, {}, request)) } }),
        {
          changes: true,
        },
      ),
    )
}

function show({ id, family, format, weightMin, weightMax, italic, size, createdAt }: Schemas['Font']) {
  const weight = weightMin === weightMax ? `${weightMin}` : `${weightMin}-${weightMax}`
  return { id, family, weight, italic, format, size, createdAt }
}
