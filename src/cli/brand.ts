/** `tintype brand`: the brand values of an account or of one of its projects. */
import type { Command } from 'commander'
import { readBrandFile } from './brand-file.ts'
import { type ActOnApi, type CliApi, onBoth, type TargetOptions } from './target.ts'
import { storeOnce, uploadFrom } from './upload-once.ts'

interface Options extends TargetOptions {
  project?: string
}

export function brandCommands(program: Command, act: ActOnApi): void {
  const commands = program
    .command('brand')
    .description('Manage brand values: colours, fonts, images and texts for all workflows.')
  onBoth(commands.command('export').option('--project <id>', 'project (default: the values of the account)'))
    .description('Print the brand values of an account, or of one of its projects, as YAML.')
    .action(({ project, ...options }: Options) =>
      act(options, async ({ client, request }) => {
        const { values } = await (project === undefined
          ? client.brands.get({}, request)
          : client.brands.getOfProject(project, {}, request))
        return { answer: { values }, view: (await import('yaml')).stringify({ values }, { lineWidth: 120 }) }
      }),
    )
  onBoth(commands.command('apply <file>').option('--project <id>', 'project (default: the values of the account)'))
    .description('Replace the brand values by those in a file (YAML or JSON), and save the images that it names.')
    .action((file: string, { project, ...options }: Options) =>
      act(
        options,
        async (api) => {
          const saved = await replace(api, project, await readBrandFile(file, uploadFrom(file, storeOnce(api))))
          const view = Object.entries(saved.values).map(([name, { type, value }]) => ({ name, type, value }))
          return { answer: { values: saved.values }, view }
        },
        { changes: true },
      ),
    )
}

function replace(
  { client, request }: CliApi,
  project: string | undefined,
  values: Awaited<ReturnType<typeof readBrandFile>>,
) {
  return project === undefined
    ? client.brands.replace({ values }, request)
    : client.brands.replaceOfProject(project, { values }, request)
}
