import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, modelsByCapability, readConfig, settings } from './config.ts'

describe('settings', () => {
  it('have defaults that start the service with an empty environment', () => {
    const config = readConfig({})
    assert.equal(config.port, 8080)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, resolve('data'))
    assert.equal(config.syncWaitSeconds, 55)
    assert.equal(config.executionTimeoutSeconds, 300)
    assert.equal(config.uploadBytesMax, 32 * 1024 * 1024)
    assert.equal(config.imagePixelsMax, 100_000_000)
  })
  it('are read from the environment, and an empty variable counts as not set', () => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://images.example.com/',
      FETCH_ALLOW: 'cdn.local, 10.0.0.1:81',
      SYNC_WAIT_SECONDS: '0.5',
      HOST: '',
    })
    assert.equal(config.port, 0)
    assert.equal(config.publicUrl, 'https://images.example.com')
    assert.deepEqual(config.fetchAllow, ['cdn.local', '10.0.0.1:81'])
    assert.equal(config.syncWaitSeconds, 0.5)
    assert.equal(config.host, '127.0.0.1')
  })
  it('reports all invalid settings together, each with its name and the expected value', () => {
    const env = {
      PORT: '80 80',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'ftp://x',
      IMAGE_MAX_PIXELS: '-1',
      EXECUTION_TIMEOUT_SECONDS: 'soon',
    }
    assert.throws(
      () => readConfig(env),
      (error: Error) =>
        error instanceof ConfigError &&
        Object.keys(env).every((name) => error.message.includes(name)) &&
        error.message.includes('a whole number from 0 to 65535'),
    )
  })
  it('names the location of the records, and never a password, even if the setting is invalid', () => {
    const urls = ['postgres://me:hunter2@db:5432/tintype', 'postgresql:///tintype?host=/var/run/postgresql']
    for (const url of urls) assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
    for (const url of [
      'mysql://me:hunter2@db/x',
      'postgres://me:hunter2@db',
      'me:hunter2@db',
      'postgres://me:hun#ter2@db/x',
      'postgres://me:12/hunter2@db/x',
    ]) {
      assert.throws(
        () => readConfig({ DATABASE_URL: url }),
        ({ message }: Error) => /DATABASE_URL must be a URL as in postgres:/.test(message) && !/hun|ter2/.test(message),
      )
    }
  })
  it('accepts models per capability and budgets in dollars, and rejects other values', () => {
    const config = readConfig({
      GENERATE_MODEL: 'openai/gpt-image-1, fal/fal-ai/flux/dev',
      REMOVE_BACKGROUND_MODEL: 'isnet',
      EXECUTION_BUDGET_USD: '0.25',
      ACCOUNT_BUDGET_USD_PER_MONTH: '0',
    })
    assert.deepEqual(modelsByCapability(config).generate, ['openai/gpt-image-1', 'fal/fal-ai/flux/dev'])
    assert.deepEqual(modelsByCapability(config)['remove-background'], ['isnet'])
    assert.deepEqual(modelsByCapability(config).judge, [])
    assert.equal(config.executionBudgetUsd, 0.25)
    assert.equal(config.accountBudgetUsdPerMonth, 0)
    const wrong = { EDIT_MODEL: 'a/b,,c/d', WRITE_MODEL: 'a/b, a/b', JUDGE_MODEL: '/x', EXECUTION_BUDGET_USD: '$3' }
    assert.throws(
      () => readConfig({ ...wrong, ACCOUNT_BUDGET_USD_PER_MONTH: '0.0000001' }),
      ({ message }: Error) =>
        [...Object.keys(wrong), 'ACCOUNT_BUDGET_USD_PER_MONTH'].every((name) => message.includes(name)),
    )
  })
  it('requires addresses for proxies and name servers', () => {
    const config = readConfig({
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8,::1',
      DNS_SERVERS: '10.0.0.2, 127.0.0.1:5353,[::1]:53,2001:db8::53',
    })
    assert.deepEqual(config.trustedProxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1'])
    assert.deepEqual(config.dnsServers, ['10.0.0.2', '127.0.0.1:5353', '[::1]:53', '2001:db8::53'])
    const networks = [
      'loopback',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '::/0',
      '10.0.0/8',
      '10.0.0.1/',
      '10.0.0.1/8/8',
      '::/129',
      'true',
      'a,10.0.0.1',
      '*',
    ]
    for (const text of networks)
      assert.throws(() => readConfig({ TRUSTED_PROXIES: text }), /TRUSTED_PROXIES must be IP addresses or CIDR/, text)
    for (const text of ['dns.test', '10.0.0.2:0', '10.0.0.2:99999', '[10.0.0.2', 'fe80::1%eth0', '10.0.0.2,,'])
      assert.throws(() => readConfig({ DNS_SERVERS: text }), /DNS_SERVERS must be IP addresses/, text)
  })
  it('rejects a public URL with a path, which the console and its cookie cannot have', () => {
    for (const url of ['https://images.example.com/tintype', 'http://x/v1', 'http://x/a/', 'https://user@x', 'x'])
      assert.throws(() => readConfig({ PUBLIC_URL: url }), /PUBLIC_URL must/, url)
    assert.equal(readConfig({ PUBLIC_URL: 'HTTPS://X.example:8443/' }).publicUrl, 'https://x.example:8443')
    assert.equal(readConfig({ IMAGES_URL: 'https://cdn.example/a/b/' }).imagesUrl, 'https://cdn.example/a/b')
  })
  it('accepts an email address or a URL as the contact for vulnerabilities', () => {
    const contacts = { 'a@example.com': 'mailto:a@example.com', 'mailto:a@example.com': 'mailto:a@example.com' }
    for (const [text, uri] of Object.entries({ ...contacts, 'https://example.com/x': 'https://example.com/x' }))
      assert.equal(readConfig({ SECURITY_CONTACT: text }).securityContact, uri)
    for (const text of ['me', 'http://example.com', 'a@b@c', 'a@b\nPolicy: x', 'https://', 'javascript:1'])
      assert.throws(() => readConfig({ SECURITY_CONTACT: text }), /SECURITY_CONTACT must/, text)
  })
  it('have unique names, and a summary each', () => {
    const all = Object.values(settings)
    assert.ok(all.length >= 12)
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
    for (const { name, summary } of all) assert.ok(/^[A-Z_]+$/.test(name) && summary.endsWith('.'), name)
  })
})
