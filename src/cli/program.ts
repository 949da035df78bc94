/** The `tintype` command: its subcommands, output and exit codes. */
import { Command, CommanderError } from 'commander'
import { actAs } from '../domain/accounts/audit.ts'
import { systemClock } from '../domain/clock.ts'
import { randomBase62 } from '../domain/ids.ts'
import { retryAfterMs } from '../domain/retry-after.ts'
import { Fault } from '../errors.ts'
import { accountCommands } from './accounts.ts'
import { auditCommand } from './audit.ts'
import { batchCommand } from './batch.ts'
import { brandCommands } from './brand.ts'
import type {
  Act,
  CliApi,
  CliModels,
  CliMoving,
  CliOffline,
  CliProviders,
  CliRecords,
  CliServices,
  CliVerifier,
} from './cli-services.ts'
import { diffCommand } from './diff.ts'
import { testCommand } from './example-tests.ts'
import { exportCommand } from './export.ts'
import { fontCommands } from './fonts.ts'
import { type CommandHelp, commandHelp } from './help.ts'
import { importCommand } from './import.ts'
import { importSvgCommand } from './import-svg.ts'
import { keyCommands } from './keys.ts'
import { modelCommands } from './models.ts'
import { print } from './print.ts'
import { providerCommand } from './providers.ts'
import { signingKeyCommands } from './signing-keys.ts'
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
  openApi(service: {
    url: string
    key: string
    newIdempotencyKey(): string
    retryAfterMs(get: (name: string) => string | null): number | undefined
  }): Promise<CliApi>
  openMoving(options: MayCreate): Promise<CliMoving>
  serve(options: { executes: boolean }): Promise<number>
  work(): Promise<number>
}

interface MayCreate {
  mayCreate: boolean
}

/** Returns the exit code: 0, 1 if the work failed, 2 if the command line is wrong. */
export async function runCli(args: string[], options: CliOptions): Promise<number> {
  let exitCode = 0
  const program = createProgram(options, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
  return exitCode
}

/** All commands, for `runCli` and for the derived reference. `setExitCode` gets the exit code of a command that doesn't end with 0. */
export function createProgram(
  {
    version,
    open,
    openRecords,
    openModels,
    openMoving,
    openOffline,
    openProviders,
    openVerifier,
    openApi,
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
      const opened = await start()
      try {
        const result = await actAs({ type: 'command', command: running }, () => work(opened))
        if (result !== undefined) process.stdout.write(print(result, json))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        setExitCode(1)
        const { code, message, details } = error
        if (json) process.stdout.write(print({ error: { code, message, details } }, true))
        else process.stderr.write(`${faultText(error)}\n`)
      } finally {
        await opened.close()
      }
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
  usageCommand(program, actOnRecords)
  auditCommand(program, actOnRecords)
  workflowCommands(program, acting(open))
  const fail = () => setExitCode(1)
  const api = { newIdempotencyKey, retryAfterMs: (get: Header) => retryAfterMs(get, systemClock.now()) }
  batchCommand(program, { actOn: (service) => acting(() => openApi({ ...service, ...api })), fail })
  typesCommand(program, {
    actAlone: acting(async () => ({ close: async () => {} })),
    act: acting(open),
    actOn: (service) => acting(() => openApi({ ...service, ...api })),
  })
  importSvgCommand(program, acting(open))
  fontCommands(program, acting(open))
  brandCommands(program, acting(open))
  webhookCommands(program, acting(open))
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
  diffCommand(program, { act: acting(open), actOffline: acting(openOffline), fail })
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

type Header = (name: string) => string | null

function newIdempotencyKey(): string {
  return randomBase62(32)
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
    command?.addHelpText('after', helpText(help))
  }
}

function helpText({ examples, page }: CommandHelp): string {
  const lines = examples.map(([command, purpose]) => `  ${purpose}\n    $ ${command}`)
  return `\nExamples:\n${lines.join('\n')}\n\nMore: /guide/${page} on the address of the service.`
}
