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
    'Every error has this body. `details` is always an object, and always has `requestId`, which is also in the header\n`X-Request-Id`.\n',
    fenced('json', JSON.stringify(example, null, 2)),
    '## Codes\n',
    table(['code', 'status', 'title', 'meaning', 'what to do'], rows),
    '## Which routes answer them\n',
    ...everywhere(),
    table(['code', 'routes'], ownErrors()),
    '## Reasons of a failed execution\n',
    'In `error.details.reason` of `workflow_failed`: in the answer of a synchronous execution, and in the record of any.\n',
    table(
      ['reason', 'meaning'],
      Object.entries(failureReasons).map(([reason, meaning]) => [code(reason), meaning]),
    ),
  ].join('\n')
}

/** What all the routes that ask for a key have in common. */
function common(): string[] {
  const [first = [], ...others] = routes.filter(({ permission }) => permission !== 'public').map(errorsOf)
  return first.filter((name) => others.every((each) => each.includes(name)))
}

function everywhere(): string[] {
  return [`Every route that asks for a key may answer ${common().map(code).join(', ')}. Besides:\n`]
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
