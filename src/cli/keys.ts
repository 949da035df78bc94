import { type Command, Option } from 'commander'
import { type Grant, grants, type Key } from '../domain/accounts/key.ts'
import { systemClock, timestamp } from '../domain/clock.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { duration, nameOption, permissionList } from './options.ts'

export function keyCommands(program: Command, act: Act<CliRecords>): void {
  const commands = program.command('keys').description('Manage API keys.')
  commands
    .command('create')
    .description('Create a key and print it once.')
    .option('--account <id>', 'account of the key; required if there are several')
    .option('--name <name>', 'name of the key', nameOption, '')
    .addOption(
      new Option('--permissions <list>', `comma-separated: ${grants.join(', ')}`)
        .argParser(permissionList)
        .default(['all'] satisfies Grant[], 'all'),
    )
    .option('--expires-in <duration>', 'such as 30d (default: never)', duration)
    .option('--json', 'print one JSON value')
    .action(({ account, name, permissions, expiresIn, json }: CreateOptions) =>
      act(
        async ({ accounts, keys }) => {
          const expiry = expiresIn === undefined ? {} : { expiresAt: systemClock.now() + expiresIn }
          const accountId = await accountIdOf({ accounts }, account)
          const { key, text } = await keys.create(accountId, { name, permissions, ...expiry })
          return { key: text, ...show(key) }
        },
        { json: json === true },
      ),
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

interface CreateOptions {
  account?: string
  name: string
  permissions: Grant[]
  expiresIn?: number
  json?: boolean
}

function show({ id, accountId, name, prefix, permissions, createdAt, expiresAt, revokedAt, lastUsedAt }: Key) {
  const at = (ms: number | null) => (ms === null ? null : timestamp(ms))
  return {
    id,
    accountId,
    name,
    prefix,
    permissions,
    createdAt: timestamp(createdAt),
    expiresAt: at(expiresAt),
    revokedAt: at(revokedAt),
    lastUsedAt: at(lastUsedAt),
  }
}
