import { settings } from '../../src/config/config.ts'
import { limits } from '../../src/limits.ts'
import { limitSummaries } from './limit-summaries.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function limitsPage(): string {
  checkSummaries()
  return [
    pageHead('Limits', 'src/limits.ts'),
    'Tintype rejects a request above a limit with a 400, or fails the execution with the reason `limit_exceeded`. It never\ntruncates a value or an image silently. If a description names a setting, change the limit with this setting: see\n[Configuration](configuration.md). The number of requests per minute depends on the [plan](permissions.md).\n',
    ...Object.entries(limitSummaries).flatMap(([group, summaries]) => [
      `## ${group}\n`,
      table(
        ['Limit', 'Value', 'Description'],
        Object.entries(summaries).map(([name, summary]) => [code(name), grouped(limitOf(name)), summary]),
      ),
    ]),
  ].join('\n')
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
