import { type Command, Option } from 'commander'
import { systemClock, timestamp } from '../domain/clock.ts'
import type { SigningKey } from '../domain/delivery/signing-key.ts'
import { dollars } from '../domain/money.ts'
import type { SigningKeyRequest } from '../services/delivery/signing-keys.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords, CliServices } from './cli-services.ts'
import { duration, nameOption, parameter, usDollars } from './options.ts'

const accountOption = ['--account <id>', 'account of the key; required if there are several'] as const
const json = ['--json', 'print one JSON value'] as const

/** `actOnServices`: for the command that signs. */
export function signingKeyCommands(program: Command, act: Act<CliRecords>, actOnServices: Act<CliServices>): void {
  const commands = program.command('signing-keys').description('Manage the keys that sign delivery URLs.')
  withSettings(commands.command('create').description('Create a signing key and print its secret once.'))
    .option('--expires-in <duration>', 'such as 365d (default: never)', duration)
    .action(({ account, expiresIn, json, ...settings }: SettingOptions & { expiresIn?: number }) =>
      act(
        async ({ accounts, signingKeys }) => {
          const accountId = await accountIdOf({ accounts }, account)
          const expiry = expiresIn === undefined ? {} : { expiresAt: systemClock.now() + expiresIn }
          const key = await signingKeys.create(accountId, { ...requestOf(settings), ...expiry })
          return { secret: key.secret, ...show(key) }
        },
        { json: json === true },
      ),
    )
  commands
    .command('list')
    .description('List the signing keys of an account, newest first.')
    .option(...accountOption)
    .option(...json)
    .action(({ account, json }: CommonOptions) =>
      act(
        async ({ accounts, signingKeys }) => {
          const page = { limit: 100, offset: 0 }
          const accountId = await accountIdOf({ accounts }, account)
          return (await signingKeys.list(accountId, page)).items.map(show)
        },
        { json: json === true },
      ),
    )
  withSettings(
    commands
      .command('update <id>')
      .description('Replace all settings of a signing key: an option that is omitted gets its default.'),
  ).action((id: string, { account, json, ...settings }: SettingOptions) =>
    act(
      async ({ accounts, signingKeys }) =>
        show(await signingKeys.update(await accountIdOf({ accounts }, account), id, requestOf(settings))),
      { json: json === true },
    ),
  )
  commands
    .command('revoke <id>')
    .description('Reject all URLs of a signing key immediately.')
    .option(...accountOption)
    .option(...json)
    .action((id: string, { account, json }: CommonOptions) =>
      act(
        async ({ accounts, signingKeys }) =>
          show(await signingKeys.revoke(await accountIdOf({ accounts }, account), id)),
        { json: json === true },
      ),
    )
  commands
    .command('rotate <id>')
    .description('Replace a signing key. URLs of the old key stay valid for the overlap period.')
    .addOption(
      new Option('--overlap <duration>', 'time that the old key stays valid')
        .argParser(duration)
        .default(86_400_000, '24h'),
    )
    .option(...accountOption)
    .option(...json)
    .action((id: string, { overlap, account, json }: CommonOptions & { overlap: number }) =>
      act(
        async ({ accounts, signingKeys }) => {
          const accountId = await accountIdOf({ accounts }, account)
          const { key, replaced } = await signingKeys.rotate(accountId, id, overlap / 1_000)
          return { secret: key.secret, ...show(key), replaces: id, oldKeyExpiresAt: at(replaced.revokedAt) }
        },
        { json: json === true },
      ),
    )
  commands
    .command('sign <id> <file>')
    .description('Sign a delivery URL, such as that of card@live.webp, and print it.')
    .addOption(
      new Option('--param <name=value>', 'a parameter; repeat it for more').argParser(parameter).default({}, 'none'),
    )
    .option('--expires-in <duration>', 'time that the URL is valid (default: 30d)', duration)
    .option(...accountOption)
    .option(...json)
    .action((id: string, file: string, { param: parameters, expiresIn, account, json }: SignOptions) =>
      actOnServices(
        async ({ accounts, services }) => {
          const accountId = await accountIdOf({ accounts }, account)
          const validity =
            expiresIn === undefined ? {} : { expiresInSeconds: Math.max(1, Math.round(expiresIn / 1_000)) }
          return services.urlSigner.sign(accountId, id, { file, parameters, ...validity })
        },
        { json: json === true },
      ),
    )
}

function withSettings(command: Command): Command {
  return command
    .option('--name <name>', 'name of the key', nameOption, '')
    .option('--workflows <list>', 'comma-separated ids or slugs (default: all workflows)', listed)
    .option('--images', 'also sign URLs of images (default without --workflows)')
    .option('--no-images', 'sign no URLs of images (default with --workflows)')
    .option('--budget <usd>', 'US dollars per month (UTC) for AI models (default: 0)', usDollars)
    .option(...accountOption)
    .option(...json)
}

interface CommonOptions {
  account?: string
  json?: boolean
}

interface SettingOptions extends CommonOptions {
  name: string
  workflows?: string[]
  images?: boolean
  budget?: number
}

interface SignOptions extends CommonOptions {
  param: Record<string, string>
  expiresIn?: number
}

function requestOf({ name, workflows, images, budget }: Omit<SettingOptions, keyof CommonOptions>): SigningKeyRequest {
  return { name, workflows, images, monthlyBudget: budget }
}

function listed(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

function show({ id, accountId, name, workflowIds, images, monthlyBudget, ...times }: SigningKey) {
  return {
    id,
    accountId,
    name,
    workflows: workflowIds ?? 'all',
    images,
    monthlyBudgetUsd: dollars(monthlyBudget ?? 0),
    createdAt: timestamp(times.createdAt),
    expiresAt: at(times.expiresAt),
    revokedAt: at(times.revokedAt),
    lastUsedAt: at(times.lastUsedAt),
  }
}

function at(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms)
}
