/** The reference of the `tintype` command, from its definition in commander. */
import type { Argument, Command, Option } from 'commander'
import { commandHelp } from '../../src/cli/help.ts'
import { type CliOptions, createProgram } from '../../src/cli/program.ts'
import { code, fenced, pageHead, table } from './markdown.ts'

export function cliPage(): string {
  const unused = () => Promise.reject(new Error('The reference runs no command.'))
  const options: CliOptions = {
    version: '',
    open: unused,
    openRecords: unused,
    openModels: unused,
    openProviders: unused,
    openVerifier: unused,
    openClient: unused,
    openOffline: unused,
    openMoving: unused,
    configFolder: '',
    serve: unused,
    work: unused,
  }
  const commands = createProgram(options, () => {}).commands.flatMap(leaves)
  return [
    pageHead('CLI reference: the tintype command', 'src/cli'),
    'The `tintype` command starts the service, and manages its accounts, keys, workflows, models and backups.\n',
    'Run `npx tintype` in the folder of the project, so that it reads the same `.env` as the service. In a container, the command is `tintype`:',
    '`docker compose exec tintype tintype accounts list`. Outside of the project, `npx tintype` would look for another package of that name.\n',
    'The command works on the data directory or the database, not over HTTP. It works next to the running service. Only `tintype batch` is a client of a running service, because a batch needs its workers.',
    '`--json` prints one JSON value.\n',
    table(
      ['Exit code', 'Meaning'],
      [
        [code(0), 'Success'],
        [code(1), 'The command failed'],
        [code(2), 'The command line is invalid'],
      ],
    ),
    table(
      ['Command', 'Description'],
      commands.map((command) => [`[${code(pathOf(command))}](#${anchorOf(command)})`, sentence(command.description())]),
    ),
    ...commands.map(section),
  ].join('\n')
}

/** Commands without subcommands. */
function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}

function pathOf(command: Command): string {
  const { parent } = command
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function anchorOf(command: Command): string {
  return pathOf(command).replaceAll(' ', '-')
}

function section(command: Command): string {
  const path = pathOf(command)
  const { options } = command
  return [
    `## ${path}\n`,
    `${sentence(command.description())}\n`,
    fenced(
      '',
      [path, ...command.registeredArguments.map(usageOf), ...(options.length > 0 ? ['[options]'] : [])].join(' '),
    ),
    ...(options.length > 0
      ? [
          table(
            ['Option', 'Default', 'Description'],
            options.map((option) => [code(option.flags), defaultOf(option), sentence(option.description)]),
          ),
        ]
      : []),
    ...examplesOf(path.replace(/^tintype /, '')),
  ].join('\n')
}

function examplesOf(command: string): string[] {
  const help = commandHelp[command]
  if (help === undefined) return []
  const lines = help.examples.map(([line, purpose]) => `# ${purpose}\n${line}`)
  return [fenced('sh', lines.join('\n')), `Guide: [${help.page}](guide/${help.page}.md)\n`]
}

function usageOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function defaultOf({ defaultValue, defaultValueDescription, mandatory, negate }: Option): string {
  if (mandatory) return 'required'
  if (negate || defaultValue === undefined || defaultValue === '') return ''
  if (defaultValueDescription !== undefined) return code(defaultValueDescription)
  return code(typeof defaultValue === 'object' ? JSON.stringify(defaultValue) : String(defaultValue))
}

function sentence(text: string): string {
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
