import type { Command } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { type AuditAction, auditActionNames } from '../domain/accounts/audit.ts'
import { timestamp } from '../domain/clock.ts'
import { writeResponse } from './files.ts'
import { defined } from './images.ts'
import { firstOf, rows } from './lists.ts'
import { integerFrom1To, oneOf, time } from './options.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

interface Options extends TargetOptions {
  action?: AuditAction
  subject?: string
  key?: string
  keyId?: string
  after?: number
  before?: number
  limit: number
  csv?: boolean
}

export function auditCommand(program: Command, act: ActOnApi): void {
  onBoth(
    program
      .command('audit')
      .option('--action <action>', 'only this action, such as workflow.publish', oneOf(auditActionNames))
      .option('--subject <id>', 'only changes of this record')
      .option('--key-id <id>', 'only changes with this key')
      .option('--after <time>', 'only entries from this time on, such as 2026-11-21 or 2026-11-21T10:00:00Z', time)
      .option('--before <time>', 'only entries before this time', time)
      .option('--limit <n>', 'maximum number of entries', integerFrom1To(1_000), 50)
      .option('--csv', 'print all matching entries as CSV'),
  )
    .description('Show the audit log of an account, newest first.')
    .action(({ limit, csv, action, subject, keyId, after, before, ...options }: Options) =>
      act(options, async ({ client, request }) => {
        const filter = defined({
          action,
          subject,
          keyId,
          createdAfter: after === undefined ? undefined : timestamp(after),
          createdBefore: before === undefined ? undefined : timestamp(before),
        })
        if (csv) {
          await writeResponse(() => client.audit.csv(filter, request), '-')
          return undefined
        }
        return rows(await firstOf(client.audit.list(filter, request), limit), row)
      }),
    )
}

function row({ createdAt, action, subject, actor }: Schemas['AuditEntry']) {
  const { type, keyId, command, address } = actor
  return { time: createdAt, action, subject, actor: type, by: command ?? keyId, address }
}
