import type { Command } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { nameOption } from './options.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

export function projectCommands(program: Command, act: ActOnApi): void {
  const commands = program.command('projects').description('Manage projects.')
  onBoth(commands.command('list').addOption(limitOption()))
    .description('List projects, newest first.')
    .action(({ limit, ...options }: TargetOptions & { limit: number }) =>
      act(options, async ({ client, request }) => rows(await firstOf(client.projects.list({}, request), limit), show)),
    )
  onBoth(commands.command('show <id>'))
    .description('Show a project.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => ({ answer: await client.projects.get(id, {}, request) })),
    )
  onBoth(
    commands
      .command('create')
      .requiredOption('--name <name>', 'name of the project', nameOption)
      .option('--description <text>', 'description of the project'),
  )
    .description('Create a project.')
    .action(({ name, description = '', ...options }: TargetOptions & { name: string; description?: string }) =>
      act(
        options,
        async ({ client, request }) => ({ answer: await client.projects.create({ name, description }, request) }),
        { changes: true },
      ),
    )
  onBoth(
    commands
      .command('delete <id>')
      .option('--with-contents', 'delete its workflows and images, too; default: they move to the project Default'),
  )
    .description('Delete a project.')
    .action((id: string, { withContents, ...options }: TargetOptions & { withContents?: boolean }) =>
      act(
        options,
        async ({ client, request }) => ({
          answer: {
            id,
            ...(await client.projects.delete(id, { contents: withContents ? 'delete' : 'move' }, request)),
          },
        }),
        { changes: true },
      ),
    )
}

function show({ id, name, description, createdAt }: Schemas['Project']) {
  return { id, name, description, createdAt }
}
