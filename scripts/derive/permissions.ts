import { grants, permissions } from '../../src/domain/accounts/key.ts'
import { plans } from '../../src/domain/accounts/plan.ts'
import { needsLive, type Route } from '../../src/http/define-route.ts'
import { routes } from '../../src/http/routes/index.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function permissionsPage(): string {
  const isPublic = ({ permission }: Route) => permission === 'public'
  return [
    pageHead('Permissions and plans', 'src/domain/accounts/key.ts, src/domain/accounts/plan.ts and the routes'),
    'The permissions of API keys, and the limits of plans. An API key has some of these permissions, or `all`. A request without the required permission returns 403 `forbidden`, with the missing\npermission in `details.permission`.\n',
    table(
      ['Permission', 'Allows'],
      grants.map((grant) => [
        code(grant),
        grant === 'all' ? 'Everything. The default of a new key' : permissions[grant],
      ]),
    ),
    '## Required permissions\n',
    'If a route lists several permissions, one of them is enough. Routes with `all` manage the API keys of the account, so that no key can\ncreate a key with more permissions than it has itself. [Test keys](guide/authentication.md#test-keys) can use the routes with "yes". The key of a run link has no permissions: it can only use the routes that name it.\n',
    table(
      ['Route', 'Permission', 'Test key', 'Summary'],
      routes
        .filter((route) => !isPublic(route))
        .map((route) => [
          code(`${route.method} ${locationOf(route)}`),
          needed(route),
          needsLive(route) ? 'no' : 'yes',
          route.summary,
        ]),
    ),
    '## Public routes\n',
    'These routes require no API key and have no rate limit per account.\n',
    table(
      ['Route', 'Summary'],
      routes.filter(isPublic).map((route) => [code(`${route.method} ${locationOf(route)}`), route.summary]),
    ),
    '## Plans\n',
    'Requests of all keys of an account are counted together, in windows of one minute. Failed requests count, requests without a valid key\ndo not. An enterprise account can have a custom limit.\n',
    table(
      ['Plan', 'API access', 'Requests per minute'],
      Object.entries(plans).map(([name, { apiAccess, requestsPerMinute }]) => [
        code(name),
        apiAccess ? 'yes' : 'no',
        apiAccess ? grouped(requestsPerMinute) : '-',
      ]),
    ),
  ].join('\n')
}

function locationOf({ path, root }: Route): string {
  return root === 'only' ? path : root === 'also' ? `/v1${path}, ${path}` : `/v1${path}`
}

function needed({ permission }: Route): string {
  if (permission === 'public') return '-'
  if (permission === 'run-link') return 'the key of a run link'
  return permission.length === 0 ? 'any key' : permission.map(code).join(', ')
}
