import { settings } from '../../src/config/config.ts'
import { type Quota, quotaNames, quotaRow } from '../../src/domain/accounts/quota.ts'
import { limits } from '../../src/limits.ts'
import { limitSummaries } from './limit-summaries.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function limitsPage(): string {
  checkSummaries()
  return [
    pageHead('Limits', 'src/limits.ts and src/domain/accounts/quota.ts'),
    'Tintype rejects a request above a limit with a 400, or fails the execution with the reason `limit_exceeded`. It never\ntruncates a value or an image silently. If a description names a setting, change the limit with this setting: see\n[Configuration](configuration.md). The number of requests per minute depends on the [plan](permissions.md).\n',
    '## Quotas\n',
    'How much an account can have: see [quotas](guide/accounts-and-plans.md#quotas). A setting replaces the maximum for all plans, or by plan.\n',
    table(
      ['Quota', 'Maximum', 'Setting', 'At the maximum'],
      quotaNames.map((quota) => {
        const { setting, evicts } = quotaRow(quota)
        const effect = evicts ? 'The least recently used results are removed' : '403 `forbidden`'
        return [code(quota), maximumText(quota), setting === undefined ? '' : code(setting.name), effect]
      }),
    ),
    ...Object.entries(limitSummaries).flatMap(([group, summaries]) => [
      `## ${group}\n`,
      table(
        ['Limit', 'Value', 'Description'],
        Object.entries(summaries).map(([name, summary]) => [code(name), grouped(limitOf(name)), summary]),
      ),
    ]),
  ].join('\n')
}

function maximumText(quota: Quota): string {
  const { max } = quotaRow(quota)
  const text = (value: number | null) => (value === null ? 'none' : grouped(value))
  if (max === null || typeof max === 'number') return text(max)
  return Object.entries(max)
    .map(([plan, value]) => `${plan} ${text(value)}`)
    .join(', ')
}

function limitOf(name: string): number {
  return (limits as Record<string, number>)[name] ?? Number.NaN
}

/** Checks that every limit is described once, in order, and that the named settings exist. */
function checkSummaries(): void {
  const summarized = Object.values(limitSummaries).flatMap((summaries) => Object.keys(summaries))
  const all = Object.keys(limits)
  const wrong =
    all.length === summarized.length
      ? all.filter((name, i) => summarized[i] !== name)
      : all.filter((name) => !summarized.includes(name))
  if (wrong.length > 0 || summarized.length !== all.length) {
    throw new Error(`scripts/derive/limit-summaries.ts must follow limits; look at: ${wrong.join(', ')}`)
  }
  const names = new Set(Object.values(settings).map(({ name }) => name))
  for (const [, name = ''] of JSON.stringify(limitSummaries).matchAll(/`([A-Z][A-Z_]+)`/g)) {
    if (!names.has(name))
      throw new Error(`scripts/derive/limit-summaries.ts names the setting ${name}, which does not exist`)
  }
}
