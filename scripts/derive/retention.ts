import { settings } from '../../src/config/config.ts'
import { type Kind, retentionKinds } from '../../src/storage/database/retention/kinds.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

const { executionsKeptDays, auditKeptDays, previewHours, previewBytesMax, deliveryBytesMax } = settings

export function retentionPage(): string {
  const kinds = retentionKinds({
    executionsKeptDays: executionsKeptDays.default,
    auditKeptDays: auditKeptDays.default,
    previewHours: previewHours.default,
    previewBytesMax: previewBytesMax.default,
    deliveryBytesMax: deliveryBytesMax.default,
  })
  const rows = kinds.flatMap(({ records, reason = '', ...kind }) =>
    records === undefined ? [] : [[records, ageOf(kind), ofAccount(kind), reason]],
  )
  return [
    pageHead('Retention', 'src/storage/database/retention/kinds.ts'),
    'Uploads and output images stay until you delete them, unless they have a time: see\n[Accounts and plans](guide/accounts-and-plans.md#storage). Workflows and their versions stay until you delete them. Background jobs remove the records of this table in\nsmall parts, while the service runs. If a cell names a setting, change the value with this setting: see [Configuration](configuration.md).\n',
    table(['Records', 'Stored for', 'Maximum of each account', 'Reason'], rows),
    'Batches go 30 days after their end (`batchKeptSeconds` of the [limits](limits.md)). `GET /usage` returns how long executions are stored, and the log\nhas a line with it at each start.\n',
  ].join('\n')
}

function ageOf({ age }: Omit<Kind, 'records'>): string {
  if (age === undefined) return ''
  const hours = age.keptMs.is / 3_600_000
  const text =
    hours === 0
      ? 'no time'
      : hours < 1
        ? plural(hours * 60, 'minute')
        : hours % 24 === 0
          ? plural(hours / 24, 'day')
          : plural(hours, 'hour')
  return `${text}${settingOf(age.keptMs)}`
}

function ofAccount({ each }: Omit<Kind, 'records'>): string {
  if (each?.count !== undefined) return `${grouped(each.count.is)} records${settingOf(each.count)}`
  if (each?.bytes !== undefined) return `${grouped(each.bytes.max.is)} bytes${settingOf(each.bytes.max)}`
  return ''
}

function settingOf({ setting }: { setting?: string }): string {
  return setting === undefined ? '' : ` (${code(setting)})`
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${grouped(count)} ${noun}s`
}
