/** The reference of the `tintype` command, from its definition in commander. */
import { type Argument, Command, type Option } from 'commander'
import { commandHelp } from '../../src/cli/help.ts'
import { type CliOptions, createProgram, exitCodes } from '../../src/cli/program.ts'
import { formOf, onBoth } from '../../src/cli/target.ts'
import { code, fenced, pageHead, table } from './markdown.ts'

export function cliPage(): string {
  const unused = () => Promise.reject(new Error('The reference runs no command.'))
  const options: CliOptions = {
    version: '',
    open: unused,
    openRecords: unused,
    openModels: unused,
    openMcp: unused,
    openProviders: unused,
    openVerifier: unused,
    connect: unused,
    openOffline: unused,
    openMoving: unused,
    configFolder: '',
    serve: unused,
    work: unused,
  }
  const commands = createProgram(options, () => {})
    .commands.flatMap(leaves)
    .filter((command) => command.name() !== 'complete')
  return [
    pageHead('CLI reference: the tintype command', 'src/cli'),
    'The `tintype` command starts the service, and manages its accounts, keys, workflows, models and backups.\n',
    'Run `npx tintype` in the folder of the project, so that it reads the same `.env` as the service. In a container, the command is `tintype`:',
    '`docker compose exec tintype tintype accounts list`. Outside of the project, `npx tintype` would look for another package of that name.\n',
    'Some commands work on a service over HTTP, some on the database or the data directory, also next to the running service, and many on both: [where a command works](guide/command-line.md).',
    '`--json` prints one JSON value on standard output, and nothing else.\n',
    table(
      ['Exit code', 'Meaning'],
      [
        [code(0), 'Success'],
        [code(exitCodes.failed), 'The command failed, or the execution, the validation or the comparison'],
        [code(exitCodes.usage), 'The command line or a setting is invalid'],
        [code(exitCodes.unreachable), 'The service is unavailable, or its address is not the one of a Tintype service'],
        [code(exitCodes.refused), 'The API key is missing, invalid, or lacks a permission'],
        [code(exitCodes.interrupted), 'Ctrl+C. Executions and batches continue'],
      ],
    ),
    'Commands that work on a service or on the database have these options, too:\n',
    optionTable(createdTarget.options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined)),
    table(
      ['Command', 'Works on', 'Description'],
      commands.map((command) => [
        `[${code(pathOf(command))}](#${anchorOf(command)})`,
        placesOf(command),
        sentence(command.description()),
      ]),
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

function placesOf({ options }: Command): string {
  const has = (name: string) => options.some(({ long }) => long === name)
  if (!has('--url')) return 'this machine'
  return has('--local') ? 'service, database' : 'service'
}

function anchorOf(command: Command): string {
  return pathOf(command).replaceAll(' ', '-')
}

function section(command: Command): string {
  const path = pathOf(command)
  const options = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined)
  return [
    `## ${path}\n`,
    `${sentence(command.description())} ${formOf(command)}\n`,
    fenced(
      '',
      [path, ...command.registeredArguments.map(usageOf), ...(command.options.length > 0 ? ['[options]'] : [])].join(
        ' ',
      ),
    ),
    ...(options.length > 0 ? [optionTable(options)] : []),
    ...examplesOf(path.replace(/^tintype /, '')),
  ].join('\n')
}

const createdTarget = onBoth(new Command())

function optionTable(options: readonly Option[]): string {
  return table(
    ['Option', 'Default', 'Description'],
    options.map((option) => [
      code(option.flags),
      defaultOf(option),
      sentence(option.envVar === undefined ? option.description : `${option.description} (${code(option.envVar)})`),
    ]),
  )
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
