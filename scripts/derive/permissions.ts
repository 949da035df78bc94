import { grants, permissions } from '../../src/domain/key.ts'
import { plans } from '../../src/domain/plan.ts'
import type { Route } from '../../src/http/define-route.ts'
import { routes } from '../../src/http/routes/index.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function permissionsPage(): string {
  const isPublic = ({ permission }: Route) => permission === 'public'
  return [
    pageHead('Permissions and plans', 'src/domain/key.ts, src/domain/plan.ts and the routes'),
    'A key holds some of these, or `all`. What a key may not do answers 403 `forbidden`, with the permission that it lacks\nin `details.permission`.\n',
    table(
      ['permission', 'allows'],
      grants.map((grant) => [code(grant), grant === 'all' ? 'Everything; what a new key holds' : permissions[grant]]),
    ),
    '## What each route asks for\n',
    'Where there are several, any one of them is enough. A route that asks for `all` is for keys that hold everything: they\nlook after the keys of their account, and no other key hands out more than it has.\n',
    table(
      ['route', 'permission', 'does'],
      routes
        .filter((route) => !isPublic(route))
        .map((route) => [code(`${route.method} ${place(route)}`), needed(route), route.summary]),
    ),
    '## Without a key\n',
    'These ask for no key and count for no limit.\n',
    table(
      ['route', 'does'],
      routes.filter(isPublic).map((route) => [code(`${route.method} ${place(route)}`), route.summary]),
    ),
    '## Plans\n',
    'Requests are counted for the account, over all its keys, in windows of one minute, whether or not they succeed; those\nwithout a valid key are not. An enterprise account may have a number of its own.\n',
    table(
      ['plan', 'API access', 'requests per minute'],
      Object.entries(plans).map(([name, { apiAccess, requestsPerMinute }]) => [
        code(name),
        apiAccess ? 'yes' : 'no',
        apiAccess ? grouped(requestsPerMinute) : '-',
      ]),
    ),
  ].join('\n')
}

function place({ path, root }: Route): string {
  return root === 'only' ? path : root === 'also' ? `/v1${path}, ${path}` : `/v1${path}`
}

function needed({ permission }: Route): string {
  if (permission === 'public') return '-'
  return permission.length === 0 ? 'any key' : permission.map(code).join(', ')
}
