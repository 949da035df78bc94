import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startNameServer } from '../../test/harness/name-server.ts'
import { createLookup } from './lookup.ts'

interface Setup {
  hosts?: string
  resolvConf?: string
  addresses?: Record<string, string[]>
}

async function setUp(t: TestContext, { hosts = '', resolvConf = '', addresses = {} }: Setup) {
  const server = await startNameServer(addresses)
  const folder = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  writeFileSync(hostsFile, hosts)
  writeFileSync(resolvFile, resolvConf)
  const lookup = createLookup({ servers: [server.address], hostsFile, resolvConf: resolvFile })
  return { server, hostsFile, lookup, all: (name: string, options: object = {}) => allOf(lookup, name, options) }
}

/** The addresses in their order. */
function allOf(lookup: LookupFunction, name: string, options: object = {}): Promise<string[]> {
  return new Promise((resolve, reject) =>
    lookup(name, { ...options, all: true }, (error, found) =>
      error ? reject(error) : resolve((found as LookupAddress[]).map(({ address }) => address)),
    ),
  )
}

test('a name has the addresses of both families, in DNS', async (t) => {
  const { all, lookup } = await setUp(t, { addresses: { 'img.test': ['203.0.113.7', '2001:db8::7', '203.0.113.8'] } })
  assert.deepEqual(await all('img.test'), ['203.0.113.7', '203.0.113.8', '2001:db8::7'])
  assert.deepEqual(await all('IMG.test.'), ['203.0.113.7', '203.0.113.8', '2001:db8::7'])
  assert.deepEqual(await all('img.test', { family: 6 }), ['2001:db8::7'])
  const one = await new Promise((settle) => lookup('img.test', {}, (...result) => settle(result)))
  assert.deepEqual(one, [null, '203.0.113.7', 4])
})

test('a name of one family is found, even if the name server never responds to the other', async (t) => {
  const addresses = {
    'four.test': ['203.0.113.4'],
    'six.test': ['2001:db8::6'],
    'half.test': ['203.0.113.5', 'silent-aaaa'],
    'other-half.test': ['2001:db8::5', 'silent-a'],
  }
  const { all } = await setUp(t, { addresses })
  for (const [name, [address]] of Object.entries(addresses)) assert.deepEqual(await all(name), [address], name)
})

test('unknown names are ENOTFOUND, and a name server that fails is EAI_AGAIN', async (t) => {
  const { all } = await setUp(t, { addresses: { 'empty.test': [], 'broken.test': ['servfail'] } })
  const names = ['nowhere.test', 'empty.test', `${'a'.repeat(70)}.test`, 'a..test', '']
  for (const name of names) await assert.rejects(all(name), { code: 'ENOTFOUND' }, name)
  await assert.rejects(all('broken.test'), { code: 'EAI_AGAIN' })
  const unreachable = createLookup({ servers: ['127.0.0.1:1'], hostsFile: '/nowhere', resolvConf: '/nowhere' })
  await assert.rejects(allOf(unreachable, 'img.test'), { code: 'EAI_AGAIN' })
})

test('the hosts file has precedence over DNS, and is read again when it changes', async (t) => {
  const hosts =
    '# comment\n203.0.113.1 own.test Alias.test # more\n::1 own.test\nnonsense own.test\n fe80::1%lo own.test\n'
  const { all, hostsFile, server } = await setUp(t, { hosts, addresses: { 'own.test': ['203.0.113.9'] } })
  assert.deepEqual(await all('own.test'), ['203.0.113.1', '::1'])
  assert.deepEqual(await all('ALIAS.test'), ['203.0.113.1'])
  assert.deepEqual(server.requested, [])
  writeFileSync(hostsFile, '203.0.113.22 other.test\n')
  assert.deepEqual(await all('own.test'), ['203.0.113.9'])
  assert.deepEqual(await all('other.test'), ['203.0.113.22'])
})

test('localhost is this machine for every name server, and an address needs no lookup', async (t) => {
  const { all, server } = await setUp(t, { addresses: { localhost: ['203.0.113.9'] } })
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) assert.deepEqual(await all(name), ['127.0.0.1', '::1'])
  for (const address of ['203.0.113.1', '2001:db8::1']) assert.deepEqual(await all(address), [address])
  assert.deepEqual(server.requested, [])
})

test('short names are resolved in the search domains first, names with dots last', async (t) => {
  const addresses = {
    'db.b.test': ['203.0.113.1'],
    db: ['203.0.113.2'],
    'x.y': ['203.0.113.3'],
    'x.y.b.test': ['203.0.113.4'],
  }
  const { all, server } = await setUp(t, { resolvConf: 'search a.test b.test.\n', addresses })
  assert.deepEqual(await all('db'), ['203.0.113.1'])
  assert.deepEqual(await all('db.'), ['203.0.113.2'])
  assert.deepEqual(await all('x.y'), ['203.0.113.3'])
  assert.deepEqual(
    [...new Set(server.requested.map((each) => each.split(' ')[0]))],
    ['db.a.test', 'db.b.test', 'db', 'x.y'],
  )
})

test('ndots decides which names are short, as in a pod of Kubernetes', async (t) => {
  const addresses = { 'api.ns.cluster.test': ['203.0.113.1'], 'www.img.test': ['203.0.113.2'] }
  const { all } = await setUp(t, { resolvConf: 'search cluster.test\noptions edns0 ndots:5\n', addresses })
  assert.deepEqual(await all('api.ns'), ['203.0.113.1'])
  assert.deepEqual(await all('www.img.test'), ['203.0.113.2'])
})

test('many names of a silent name server do not delay others, and end when they are cancelled', async (t) => {
  const { all, server } = await setUp(t, { addresses: { 'img.test': ['203.0.113.7'] } })
  const cancel = new AbortController()
  const silent = Array.from({ length: 100 }, (_, i) => all(`a${i}.silent.test`, { signal: cancel.signal }))
  const ended = Promise.allSettled(silent)
  let settled = 0
  for (const each of silent) each.catch(() => settled++)
  assert.deepEqual(await all('img.test'), ['203.0.113.7'])
  assert.equal(settled, 0)
  assert.ok(server.requested.filter((each) => each.includes('silent')).length >= 100)
  cancel.abort(new Error('enough'))
  for (const each of await ended) assert.match(String((each as PromiseRejectedResult).reason), /enough/)
  await assert.rejects(all('img.test', { signal: cancel.signal }), /enough/)
})
