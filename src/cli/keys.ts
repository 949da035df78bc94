import type { Command } from 'commander'
import { systemClock, timestamp } from '../domain/clock.ts'
import { type Grant, grants, type Key } from '../domain/key.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { duration, permissionList } from './options.ts'

export function keyCommands(program: Command, act: Act<CliRecords>): void {
  const commands = program.command('keys').description('Manage API keys.')
  commands
    .command('create')
    .description('Create a key and print it once.')
    .requiredOption('--account <id>', 'account of the key')
    .option('--name <name>', 'name of the key', '')
    .option('--permissions <list>', `comma-separated: ${grants.join(', ')}`, permissionList, ['all'] as Grant[])
    .option('--expires-in <duration>', 'such as 30d (default: never)', duration)
    .option('--json', 'print one JSON value')
    .action(({ account, name, permissions, expiresIn, json }: CreateOptions) =>
      act(
        async ({ keys }) => {
          const expiry = expiresIn === undefined ? {} : { expiresAt: systemClock.now() + expiresIn }
          const { key, text } = await keys.create(account, { name, permissions, ...expiry })
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
    .description('Create a replacement for a key, which stays valid for the overlap.')
    .option('--overlap <duration>', 'time that the old key stays valid', duration, 86_400_000)
    .option('--json', 'print one JSON value')
    .action((id: string, { overlap, json }: { overlap: number; json?: boolean }) =>
      act(
        async ({ keys }) => {
          const { key, text, replaced } = await keys.rotate(id, overlap)
          return {
            key: text,
            ...show(key),
            replaces: replaced.id,
            oldHoldsUntil: replaced.revokedAt === null ? null : timestamp(replaced.revokedAt),
          }
        },
        { json: json === true },
      ),
    )
}

interface CreateOptions {
  account: string
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
