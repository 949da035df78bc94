import { type Command, Option } from 'commander'
import {
  executionsPerMinuteMax,
  type Grant,
  grants,
  isTestKey,
  type Key,
  type KeySettings,
} from '../domain/accounts/key.ts'
import { systemClock, timestamp } from '../domain/clock.ts'
import { dollars } from '../domain/money.ts'
import { Fault, invalidRequest } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { duration, integerFrom1To, nameOption, permissionList, usDollars } from './options.ts'

export function keyCommands(program: Command, act: Act<CliRecords>): void {
  const commands = program.command('keys').description('Manage API keys.')
  withSettings(commands.command('create').description('Create a key and print it once.'))
    .option('--account <id>', 'account of the key; required if there are several')
    .addOption(
      new Option('--permissions <list>', `comma-separated: ${grants.join(', ')}`)
        .argParser(permissionList)
        .default(['all'] satisfies Grant[], 'all'),
    )
    .option('--test', 'create a test key: executions are free, call no AI provider and have marked outputs')
    .option('--expires-in <duration>', 'such as 30d (default: never; a run link: 30d)', duration)
    .option(
      '--workflow <id>',
      'create a run link: a key without permissions that can only run this workflow (id or slug)',
    )
    .option('--json', 'print one JSON value')
    .action((options: CreateOptions, command: Command) =>
      act((records) => create(records, options, command), { json: options.json === true }),
    )
  withSettings(
    commands
      .command('update <id>')
      .description('Replace the settings of a key: an option that is omitted gets its default, except --expires-in.'),
  )
    .option('--expires-in <duration>', 'of a run link: from now, such as 30d (default: its expiry stays)', duration)
    .option('--json', 'print one JSON value')
    .action((id: string, { json, ...options }: SettingOptions & { expiresIn?: number; json?: boolean }) =>
      act((records) => update(records, id, options), { json: json === true }),
    )
  commands
    .command('list')
    .description('List keys, newest first.')
    .option('--account <id>', 'list only the keys of this account')
    .option('--json', 'print one JSON value')
    .action(({ account, json }: { account?: string; json?: boolean }) =>
      act(async ({ keys }) => (await keys.list(account)).map(show), { json: json === true }),
    )
  commands
    .command('revoke <id>')
    .description('Revoke a key immediately.')
    .option('--json', 'print one JSON value')
    .action((id: string, { json }: { json?: boolean }) =>
      act(async ({ keys }) => show(await keys.revoke(id)), { json: json === true }),
    )
  commands
    .command('rotate <id>')
    .description('Replace a key. The old key stays valid for the overlap period.')
    .addOption(
      new Option('--overlap <duration>', 'time that the old key stays valid')
        .argParser(duration)
        .default(86_400_000, '24h'),
    )
    .option('--json', 'print one JSON value')
    .action((id: string, { overlap, json }: { overlap: number; json?: boolean }) =>
      act(
        async ({ keys }) => {
          const { key, text, replaced } = await keys.rotate(id, overlap)
          return {
            key: text,
            ...show(key),
            replaces: replaced.id,
            oldKeyExpiresAt: replaced.revokedAt === null ? null : timestamp(replaced.revokedAt),
          }
        },
        { json: json === true },
      ),
    )
}

async function create(
  { accounts, keys, runLinks }: CliRecords,
  { account, permissions, expiresIn, test: isTest = false, workflow, ...settings }: CreateOptions,
  command: Command,
) {
  const accountId = await accountIdOf({ accounts }, account)
  // A run link has no permissions, so only those that are given are a mistake.
  const isDefault = command.getOptionValueSource('permissions') === 'default'
  const request = {
    ...settingsOf(settings),
    ...(workflow !== undefined && isDefault ? {} : { permissions }),
    isTest,
    workflowId: workflow,
  }
  const checked = await runLinks.create(accountId, request).catch(throwForOptions)
  const expiry = expiresIn === undefined ? {} : { expiresAt: systemClock.now() + expiresIn }
  const { key, text } = await keys.create(accountId, { ...checked, ...expiry })
  return { key: text, ...(workflow === undefined ? {} : { runPath: `/run/#${text}` }), ...show(key) }
}

async function update(
  { keys, runLinks }: CliRecords,
  id: string,
  { expiresIn, ...settings }: SettingOptions & { expiresIn?: number },
) {
  const now = systemClock.now()
  const expiresAt = expiresIn === undefined ? undefined : now + expiresIn
  const change = { ...settingsOf(settings), expiresAt }
  return show(await keys.update(id, await runLinks.update(await keys.find(id), change, now).catch(throwForOptions)))
}

/** The options of the fields that `RunLinkChecks` names. */
const optionOfField: Record<string, string> = {
  permissions: '--permissions',
  test: '--test',
  executionsPerMinute: '--executions-per-minute',
  exampleImageId: '--example-image',
  expiresInDays: '--expires-in',
}

/** Throws the same issues with the names of options. */
function throwForOptions(error: unknown): never {
  if (!(error instanceof Fault) || error.details.issues === undefined) throw error
  throw invalidRequest(
    error.details.issues.map(({ path, message }) => ({
      path: optionOfField[path] ?? path,
      message: message.replaceAll('"workflowId"', '"--workflow"'),
    })),
  )
}

function withSettings(command: Command): Command {
  return command
    .option('--name <name>', 'name of the key', nameOption, '')
    .option('--daily-budget <usd>', 'US dollars per day (UTC) for AI models (default: no limit of the key)', usDollars)
    .option('--monthly-budget <usd>', 'US dollars per month (UTC), in the same way', usDollars)
    .option(
      '--executions-per-minute <n>',
      'of a run link: the most executions that it starts (default: 10)',
      integerFrom1To(executionsPerMinuteMax),
    )
    .option('--example-image <id>', 'of a run link: the image that its page shows first (default: none)')
}

interface SettingOptions {
  name: string
  /** Micro-dollars. */
  dailyBudget?: number
  monthlyBudget?: number
  executionsPerMinute?: number
  exampleImage?: string
}

function settingsOf({
  name,
  dailyBudget,
  monthlyBudget,
  executionsPerMinute,
  exampleImage,
}: SettingOptions): KeySettings {
  return {
    name,
    dailyBudget: dailyBudget ?? null,
    monthlyBudget: monthlyBudget ?? null,
    executionsPerMinute: executionsPerMinute ?? null,
    exampleImageId: exampleImage ?? null,
  }
}

interface CreateOptions extends SettingOptions {
  account?: string
  permissions: Grant[]
  expiresIn?: number
  test?: boolean
  workflow?: string
  json?: boolean
}

function show(key: Key) {
  const { id, accountId, name, prefix, permissions, dailyBudget, monthlyBudget } = key
  const { workflowId, executionsPerMinute, exampleImageId } = key
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const at = (ms: number | null) => (ms === null ? null : timestamp(ms))
  return {
    id,
    accountId,
    name,
    prefix,
    test: isTestKey(key),
    permissions,
    dailyBudgetUsd: dailyBudget === null ? null : dollars(dailyBudget),
    monthlyBudgetUsd: monthlyBudget === null ? null : dollars(monthlyBudget),
    ...(workflowId === null ? {} : { workflowId, executionsPerMinute, exampleImageId }),
    createdAt: timestamp(createdAt),
    expiresAt: at(expiresAt),
    revokedAt: at(revokedAt),
    lastUsedAt: at(lastUsedAt),
  }
}
