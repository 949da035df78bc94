import { errors, failureReasons } from '../../src/errors.ts'
import { errorsOf } from '../../src/http/response/openapi.ts'
import { routes } from '../../src/http/routes/index.ts'
import { code, fenced, pageHead, table } from './markdown.ts'

const example = {
  error: {
    code: 'invalid_request',
    message: 'parameters.headline: is required (a string)',
    details: {
      issues: [{ path: 'parameters.headline', message: 'is required (a string)' }],
      requestId: 'req_0d3ks8tvn400f0j2qg6xw5p8rm1c',
    },
  },
}

export function errorsPage(): string {
  const rows = Object.entries(errors).map(([name, { status, title, meaning, fix }]) => [
    code(name),
    String(status),
    title,
    meaning,
    fix,
  ])
  return [
    pageHead('Errors', 'src/errors.ts'),
    'Every error response has this body. `details` always has `requestId`, which is also in the header `X-Request-Id`.\n',
    fenced('json', JSON.stringify(example, null, 2)),
    '## Codes\n',
    table(['Code', 'Status', 'Title', 'Meaning', 'Fix'], rows),
    '## Routes by error code\n',
    ...everywhere(),
    table(['Code', 'Routes'], ownErrors()),
    '## Reasons of a failed execution\n',
    '`error.details.reason` of `workflow_failed`, in the response of a synchronous execution and in the record of each execution.\n',
    table(
      ['Reason', 'Meaning'],
      Object.entries(failureReasons).map(([reason, meaning]) => [code(reason), meaning]),
    ),
  ].join('\n')
}

/** Error codes of every route that requires a key. */
function common(): string[] {
  const [first = [], ...others] = routes.filter(({ permission }) => permission !== 'public').map(errorsOf)
  return first.filter((name) => others.every((each) => each.includes(name)))
}

function everywhere(): string[] {
  return [
    `Every route that requires a key can return ${common().map(code).join(', ')}. Some routes have further codes:\n`,
  ]
}

function ownErrors(): string[][] {
  const shared = common()
  return Object.keys(errors)
    .filter((name) => !shared.includes(name))
    .map((name) => {
      const those = routes.filter((route) => (errorsOf(route) as string[]).includes(name))
      return [code(name), those.map(({ method, path }) => code(`${method} ${path}`)).join(', ')]
    })
}
