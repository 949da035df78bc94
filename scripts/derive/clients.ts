/** The clients page, from the snippets that the console shows for a workflow. */
import { languages, modes, snippet } from '../../console/src/features/code/snippets.ts'
import { fenced, pageHead } from './markdown.ts'

const call = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  workflowId: '<workflow_id>',
  parameters: { headline: 'Hello from Tintype' },
}
const fences = { curl: 'sh', typescript: 'ts', python: 'python' } as const
const titles = {
  sync: 'Wait for the result',
  async: 'Start and poll',
  stream: 'Start and stream events',
} as const

export function clientsPage(): string {
  return [
    pageHead('Clients: curl, TypeScript and Python', 'console/src/features/code/snippets.ts'),
    'Copy a client for your language. Set `TINTYPE_API_KEY` to an [API key](authentication.md) and replace `<workflow_id>` and the parameters.',
    'The **API** tab of a workflow in the [console](console.md) shows the same code with your own values.\n',
    'Retries and rate limits: [errors and retries](errors-and-retries.md). Tintype has no published client library yet.\n',
    ...languages.flatMap(({ id, label, needs }) => [
      `## ${label}\n`,
      `${needs}\n`,
      ...modes.flatMap((mode) => [
        `### ${label}: ${titles[mode.id]}\n`,
        fenced(fences[id], snippet(id, mode.id, call)),
      ]),
    ]),
  ].join('\n')
}
