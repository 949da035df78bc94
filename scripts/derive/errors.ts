import { errors, failureReasons } from '../../src/errors.ts'
import { errorsOf } from '../../src/http/response/openapi.ts'
import { errorExample } from '../../src/http/response/problem.ts'
import { routes } from '../../src/http/routes/index.ts'
import { code, fenced, pageHead, table } from './markdown.ts'

/** Each code and each reason has a heading, because `details.docs` links to it. */
export function errorsPage(): string {
  const shared = common()
  const overview = Object.entries(errors).map(([name, { status, title }]) => [
    `[${code(name)}](#${name})`,
    String(status),
    title,
  ])
  return [
    pageHead('Errors', 'src/errors.ts'),
    'The codes and reasons of errors, with their causes and fixes. Every error response has this body. `details` always has `requestId`, which is also in the header `X-Request-Id`. `details.docs` is a link to the section of this page about the code, or about the reason if there is one. It is missing if the operator has set `DOCS=false`.\n',
    fenced('json', JSON.stringify(errorExample, null, 2)),
    'In your code, branch on `code` and, for failed executions, on `details.reason`. Never branch on `message`: it is text for people and can change in any release.\n',
    '## Codes\n',
    table(['Code', 'Status', 'Title'], overview),
    `Every route that requires a key can return ${shared.map((name) => `[${code(name)}](#${name})`).join(', ')}.\n`,
    ...Object.entries(errors).flatMap(([name, { status, title, meaning, fix }]) => [
      `### ${code(name)}\n`,
      `**${status}: ${title}.** ${meaning}\n`,
      `**Fix:** ${fix}\n`,
      ...(shared.includes(name) ? [] : [`**Routes:** ${routesWith(name)}\n`]),
    ]),
    '## Reasons of a failed execution\n',
    '`error.details.reason` of `workflow_failed`, in the response of a synchronous execution and in the record of each execution. [Debug a failed execution](guide/debug-executions.md) has a fix for each reason.\n',
    ...Object.entries(failureReasons).flatMap(([reason, meaning]) => [`### ${code(reason)}\n`, `${meaning}\n`]),
  ].join('\n')
}

/** Error codes of every route that requires a key. */
function common(): string[] {
  const [first = [], ...others] = routes.filter(({ permission }) => permission !== 'public').map(errorsOf)
  return first.filter((name) => others.every((each) => each.includes(name)))
}

function routesWith(name: string): string {
  const those = routes.filter((route) => (errorsOf(route) as string[]).includes(name))
  return those.length === 0
    ? 'every path.'
    : `${those.map(({ method, path }) => code(`${method} ${path}`)).join(', ')}.`
}
