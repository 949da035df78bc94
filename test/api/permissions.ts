/** Every route with every permission. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { runCommand } from '../harness/commands.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount, secondAccount, type Tenant } from '../harness/shared.ts'
import { bodyOf, otherRoutes, permissions, type RouteRow, routes } from './routes.ts'

area('permissions', { concurrency: 4 }, () => {
  let tenant: Tenant
  let png: Buffer
  const clients = new Map<string, Client>()
  before(async () => {
    tenant = await secondAccount()
    png = await plain('png')
    const make = async (permission: string): Promise<void> => {
      clients.set(permission, tenant.api.as((await tenant.key('--permissions', permission)).key))
    }
    await Promise.all(permissions.map(make))
  })
  const use = (api: Client | undefined, route: RouteRow) => {
    assert.ok(api)
    return api.call(route.method, route.path, bodyOf(route, png))
  }

  for (const route of routes) {
    for (const permission of permissions) {
      if (route.permissions.includes(permission)) {
        test(`${permission} allows ${route.method} ${route.path}`, async () => {
          assert.equal((await use(clients.get(permission), route)).status, route.expect)
        })
      } else {
        test(`${permission} does not allow ${route.method} ${route.path}`, async () => {
          const details = refused(await use(clients.get(permission), route), 'forbidden')
          assert.ok(route.permissions.includes(details.permission ?? ''), JSON.stringify(details))
        })
      }
    }
  }

  for (const route of [...routes, ...otherRoutes]) {
    test(`all, which a key has by default, allows ${route.method} ${route.path}`, async () => {
      assert.equal((await use(tenant.api, route)).status, route.expect)
    })
  }

  test('a key with two permissions has both and no third, until it expires', async () => {
    const api = tenant.api.as(
      (await tenant.key('--permissions', 'storage:read,projects:read', '--expires-in', '30d')).key,
    )
    ok(await api.get('/storage/images'))
    ok(await api.get('/projects'))
    refused(await api.get('/workflows'), 'forbidden')
  })

  test('a missing permission is 403 before any other check of the request', async () => {
    const reader = clients.get('workflows:read')
    assert.ok(reader)
    refused(await reader.post('/projects', { nope: 1 }), 'forbidden')
    refused(
      await reader.call('POST', '/projects', { body: '{', headers: { 'content-type': 'application/json' } }),
      'forbidden',
    )
    refused(await reader.get('/storage/images', { limit: 0 }), 'forbidden')
    refused(await reader.delete('/storage/images/anything'), 'forbidden')
  })

  test('an unknown permission cannot be given to a key', async () => {
    const ran = await tintype(
      tenant.api.service,
      'keys',
      'create',
      '--account',
      tenant.accountId,
      '--permissions',
      'workflows:fly',
    )
    assert.notEqual(ran.code, 0)
    assert.match(ran.stderr, /workflows:fly/)
    assert.doesNotMatch(ran.stdout, /tt_live_/)
  })
})

area('an account on the free plan', {}, () => {
  let free: Tenant
  before(async () => {
    free = await newAccount({ plan: 'free' })
  })

  for (const route of [...routes, ...otherRoutes]) {
    test(`is 403 forbidden at ${route.method} ${route.path}`, async () => {
      const body = bodyOf(route, await plain('png'))
      refused(await free.api.call(route.method, route.path, body), 'forbidden')
    })
  }

  test('has access on a paid plan, and loses it with the plan', async () => {
    // The requests of the other tests count.
    const free = await newAccount({ plan: 'free' })
    refused(await free.api.get('/projects'), 'forbidden')
    await runCommand(free.api.service, 'accounts', 'set-plan', free.accountId, 'pro')
    const reply = await free.api.get('/projects')
    ok(reply)
    assert.equal(reply.headers['x-ratelimit-limit'], '300')
    await runCommand(free.api.service, 'accounts', 'set-plan', free.accountId, 'free')
    refused(await free.api.get('/projects'), 'forbidden')
  })
})
