import { settings } from '../../src/config/config.ts'
import { limitSummaries, limits } from '../../src/limits.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function limitsPage(): string {
  checkSummaries()
  return [
    pageHead('Limits', 'src/limits.ts'),
    'Everything has a limit. What is over one is refused with a 400, or fails its execution with the reason\n`limit_exceeded`; no number and no picture is cut to size in silence. Where a setting is named, that is how to move it (see\n[Configuration](configuration.md)). Requests per minute follow from the [plan](permissions.md).\n',
    ...Object.entries(limitSummaries).flatMap(([group, summaries]) => [
      `## ${group}\n`,
      table(
        ['limit', 'at most', 'of what'],
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
    throw new Error(`limitSummaries of src/limits.ts must follow limits; look at: ${wrong.join(', ')}`)
  }
  const names = new Set(Object.values(settings).map(({ name }) => name))
  for (const [, name = ''] of JSON.stringify(limitSummaries).matchAll(/`([A-Z][A-Z_]+)`/g)) {
    if (!names.has(name)) throw new Error(`limitSummaries names the setting ${name}, which does not exist`)
  }
}
