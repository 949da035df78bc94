import type { Command } from 'commander'
import { type AuditEntry, auditActionNames } from '../domain/accounts/audit.ts'
import { timestamp } from '../domain/clock.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { integerFrom1To, oneOf, time } from './options.ts'

interface Options {
  account?: string
  action?: AuditEntry['action']
  subject?: string
  key?: string
  after?: number
  before?: number
  limit: number
  csv?: boolean
  json?: boolean
}

export function auditCommand(program: Command, act: Act<CliRecords>): void {
  program
    .command('audit')
    .description('Show the audit log of an account, newest first.')
    .option('--account <id>', 'account; required if there are several')
    .option('--action <action>', 'only this action, such as workflow.publish', oneOf(auditActionNames))
    .option('--subject <id>', 'only changes of this record')
    .option('--key <id>', 'only changes with this key')
    .option('--after <time>', 'only entries from this time on, such as 2026-11-21 or 2026-11-21T10:00:00Z', time)
    .option('--before <time>', 'only entries before this time', time)
    .option('--limit <n>', 'maximum number of entries', integerFrom1To(1_000), 50)
    .option('--csv', 'print all matching entries as CSV')
    .option('--json', 'print one JSON value')
    .action(({ account, limit, csv, json = false, action, subject, key: keyId, after, before }: Options) =>
      act(
        async ({ accounts, auditLog }) => {
          const id = await accountIdOf({ accounts }, account)
          const filter = { action, subject, keyId, createdAfter: after, createdBefore: before }
          if (csv === true) {
            for await (const piece of auditLog.csv(id, filter)) process.stdout.write(piece)
            return undefined
          }
          const { items } = await auditLog.list(id, { limit, offset: 0 }, filter)
          return json
            ? items.map(({ createdAt, ...entry }) => ({ ...entry, createdAt: timestamp(createdAt) }))
            : items.map(row)
        },
        { json },
      ),
    )
}

function row({ createdAt, action, subject, actor }: AuditEntry) {
  const { type, keyId, command, address } = actor
  return { time: timestamp(createdAt), action, subject, actor: type, by: command ?? keyId, address }
}
