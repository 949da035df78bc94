/** The `tintype` command: its subcommands, output and exit codes. */
import { Command, CommanderError } from 'commander'
import { actAs } from '../domain/accounts/audit.ts'
import { Fault } from '../errors.ts'
import { accountCommands } from './accounts.ts'
import { auditCommand } from './audit.ts'
import { batchCommand } from './batch.ts'
import { batchesCommands } from './batches.ts'
import { brandCommands } from './brand.ts'
import type {
  Act,
  CliMcp,
  CliModels,
  CliMoving,
  CliOffline,
  CliProviders,
  CliRecords,
  CliServices,
  CliVerifier,
} from './cli-services.ts'
import { completionCommands } from './completion.ts'
import { diffCommand } from './diff.ts'
import { testCommand } from './example-tests.ts'
import { executionCommands } from './executions.ts'
import { exportCommand } from './export.ts'
import { fontCommands } from './fonts.ts'
import { type CommandHelp, commandHelp } from './help.ts'
import { imageCommands } from './images.ts'
import { importCommand } from './import.ts'
import { importSvgCommand } from './import-svg.ts'
import { keyCommands } from './keys.ts'
import { loginCommands, readLogin } from './login.ts'
import { mcpCommand } from './mcp.ts'
import { modelCommands } from './models.ts'
import { print } from './print.ts'
import { projectCommands } from './projects.ts'
import { providerCommand } from './providers.ts'
import { signingKeyCommands } from './signing-keys.ts'
import {
  type ActOnApi,
  type CliApi,
  type Connect,
  formOf,
  Interrupted,
  type Login,
  openDatabase,
  openService,
  requireService,
  serviceOf,
  type TargetOptions,
} from './target.ts'
import { typesCommand } from './types.ts'
import { usageCommand } from './usage.ts'
import { verifyCommand } from './verify.ts'
import { webhookCommands } from './webhooks.ts'
import { workflowCommands } from './workflows.ts'

export interface CliOptions {
  version: string
  /** Opens the data directory; the command closes it. Rejects if it has no records. */
  open(): Promise<CliServices>
  /** Opens the records like `open`, for accounts and keys alone. `mayCreate`: makes records if there are none. */
  openRecords(options: MayCreate): Promise<CliRecords>
  openModels(): Promise<CliModels>
  openProviders(): Promise<CliProviders>
  openOffline(): Promise<CliOffline>
  openVerifier(): Promise<CliVerifier>
  /** The client of a running service. */
  connect: Connect
  /** The folder of the settings of the user, such as `~/.config`. */
  configFolder: string
  openMcp(service: Login): Promise<CliMcp>
  openMoving(options: MayCreate): Promise<CliMoving>
  serve(options: { executes: boolean }): Promise<number>
  work(): Promise<number>
}

interface MayCreate {
  mayCreate: boolean
}

/** Returns the exit code: see `exitCodes`. */
export async function runCli(args: string[], options: CliOptions): Promise<number> {
  let exitCode = 0
  const program = createProgram(options, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : exitCodes.usage
  }
  return exitCode
}

/** Documented in the reference of the command. */
export const exitCodes = { failed: 1, usage: 2, unreachable: 3, refused: 4, interrupted: 130 } as const

function exitCodeOf({ code }: Fault): number {
  if (code === 'unavailable') return exitCodes.unreachable
  return code === 'unauthorized' || code === 'forbidden' ? exitCodes.refused : exitCodes.failed
}

/** Throws errors that are not for the user. */
async function faultOf(error: unknown, opened: object | undefined): Promise<Fault> {
  const { clientFault } = await import('./client-faults.ts')
  const fault = clientFault(error, (opened as Partial<CliApi> | undefined)?.url)
  if (fault === undefined) throw error
  return fault
}

/** All commands, for `runCli` and for the derived reference. `setExitCode` gets the exit code of a command that doesn't end with 0. */
export function createProgram(
  {
    version,
    open,
    openRecords,
    openMcp,
    openModels,
    openMoving,
    openOffline,
    openProviders,
    openVerifier,
    connect,
    configFolder,
    serve,
    work,
  }: CliOptions,
  setExitCode: (code: number) => void,
): Command {
  /** The name of the command that runs. */
  let running = ''
  const acting =
    <Opened extends { close(): Promise<void> }>(start: () => Promise<Opened>): Act<Opened> =>
    async (work, { json = false }) => {
      const width = process.stdout.isTTY ? process.stdout.columns : undefined
      let opened: Opened | undefined
      try {
        opened = await start()
        const session = opened
        const result = await actAs({ type: 'command', command: running }, () => work(session))
        if (result !== undefined) process.stdout.write(print(result, json, width))
      } catch (error) {
        if (error instanceof Interrupted) {
          setExitCode(exitCodes.interrupted)
          process.stderr.write(`Interrupted. ${error.message}\n`)
          return
        }
        const fault = error instanceof Fault ? error : await faultOf(error, opened)
        setExitCode(exitCodeOf(fault))
        const { code, message, details } = fault
        if (json) process.stdout.write(print({ error: { code, message, details } }, true))
        else process.stderr.write(`${faultText(fault)}\n`)
      } finally {
        await opened?.close()
      }
    }
  const openTarget = (service: Login) => openService(service, connect)
  const actOnApi: ActOnApi = (options, work, command = {}) => {
    const json = options.json === true
    const start = async () => {
      const service = serviceOf(options, await readLogin(configFolder))
      if (service === undefined) return openDatabase(options, command, open)
      if (command.changes) process.stderr.write(`Service: ${service.url}\n`)
      return openTarget(service)
    }
    return acting<CliApi>(start)(
      async (api) => {
        const output = await work(api)
        if (output === undefined) return undefined
        const { answer, view = answer, notes = [] } = output
        if (!json) for (const note of notes) process.stderr.write(note)
        return json ? answer : view
      },
      { json },
    )
  }
  const program = new Command('tintype')
    .description(
      'Saved image workflows over HTTP. Settings come from the environment and .env: see /guide/configure of the service.',
    )
    .version(version)
    // `--version` after a command is an option of that command.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError()
    .hook('preAction', (_, command) => {
      running = nameOf(command)
    })
  program
    .command('serve')
    .description('Start the service. `tintype` without a command does this too.')
    .option('--no-worker', 'accept executions but leave running them to workers (PostgreSQL only)')
    .action(async ({ worker }: { worker: boolean }) => {
      setExitCode(await serve({ executes: worker }))
    })
  program
    .command('worker')
    .description('Start a worker that runs the executions of services (PostgreSQL only).')
    .action(async () => {
      setExitCode(await work())
    })
  const actOnRecords = acting(() => openRecords({ mayCreate: false }))
  const actOnNew = acting(() => openRecords({ mayCreate: true }))
  accountCommands(program, { act: actOnRecords, actOnNew, actOnAll: acting(open) })
  keyCommands(program, actOnRecords)
  signingKeyCommands(program, actOnRecords, acting(open))
  const fail = () => setExitCode(exitCodes.failed)
  const actOnFiles = acting(async () => ({ close: async () => {} }))
  loginCommands(program, { act: actOnFiles, folder: configFolder, openService: openTarget })
  usageCommand(program, actOnApi)
  auditCommand(program, actOnApi)
  workflowCommands(program, actOnApi, fail)
  executionCommands(program, actOnApi, fail)
  batchCommand(program, actOnApi, fail)
  batchesCommands(program, actOnApi, fail)
  imageCommands(program, actOnApi)
  projectCommands(program, actOnApi)
  typesCommand(program, actOnApi, actOnFiles)
  mcpCommand(program, (options) => acting(async () => openMcp(requireService(options, await readLogin(configFolder)))))
  importSvgCommand(program, actOnApi, actOnFiles)
  fontCommands(program, actOnApi)
  brandCommands(program, actOnApi)
  webhookCommands(program, actOnApi)
  modelCommands(program, acting(openModels))
  providerCommand(program, acting(openProviders))
  verifyCommand(program, { act: acting(open), actOffline: acting(openVerifier), fail })
  testCommand(program, acting(openOffline), fail)
  exportCommand(
    program,
    acting(() => openMoving({ mayCreate: false })),
    fail,
  )
  importCommand(
    program,
    acting(() => openMoving({ mayCreate: true })),
  )
  const isOnService = async (options: TargetOptions) => serviceOf(options, await readLogin(configFolder)) !== undefined
  diffCommand(program, { act: acting(open), actOffline: acting(openOffline), actOnApi, isOnService, fail })
  completionCommands(program)
  addHelp(program)
  return program
}

/** Such as `keys create`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name()
}

function faultText({ message, details: { issues = [], reason, node } }: Fault): string {
  const lines = issues.map(({ path, message: problem }) => `  ${path === '' ? '(request)' : path}: ${problem}`)
  const where = [reason, node].filter(Boolean).join(', ')
  return [`Error: ${message}${where ? ` (${where})` : ''}`, ...lines].join('\n')
}

/** Adds examples and a link to the help of each command. */
function addHelp(program: Command): void {
  for (const [name, help] of Object.entries(commandHelp)) {
    const command = name
      .split(' ')
      .reduce<Command | undefined>(
        (parent, part) => parent?.commands.find((command) => command.name() === part),
        program,
      )
    command?.addHelpText('after', `\n${formOf(command)}\n${helpText(help)}`)
  }
}

function helpText({ examples, page }: CommandHelp): string {
  const lines = examples.map(([command, purpose]) => `  ${purpose}\n    $ ${command}`)
  return `\nExamples:\n${lines.join('\n')}\n\nMore: /guide/${page} on the address of the service.`
}
