import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Provider } from './define.ts'
import { missingConfigOf, readProviders, secretsOf } from './settings.ts'

type Definition = Pick<Provider, 'id' | 'settings' | 'baseUrl' | 'missingConfig'>

const keyed: Definition = {
  id: 'keyed',
  settings: {
    apiKey: { names: ['KEYED_KEY', 'KEYED_API_KEY'], summary: 'Key.', isSecret: true, isRequired: true },
    region: {
      names: ['KEYED_REGION'],
      summary: 'Region.',
      default: 'eu',
      check(text) {
        if (!/^[a-z]{2}$/.test(text)) throw new Error('must be two letters')
      },
    },
  },
  baseUrl: { names: ['KEYED_BASE_URL'], default: 'https://api.keyed.example/v1' },
}
const hosted: Definition = {
  id: 'hosted',
  settings: { resource: { names: ['HOSTED_RESOURCE'], summary: 'Resource.' } },
  baseUrl: { names: ['HOSTED_BASE_URL'], default: 'https://{resource}.hosted.example/openai/v1' },
}
const ownServer: Definition = { id: 'own', settings: {}, baseUrl: { names: ['OWN_BASE_URL'] } }

const secret = 'sk-1234567890'
const noFile = (): string => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
}
const read = (env: Record<string, string>, readFile: (path: string) => string = noFile) =>
  readProviders(env, [keyed, hosted, ownServer], readFile)
const baseUrlOf = (id: string, env: Record<string, string>) => read(env).providers[id]?.baseUrl

describe('settings of providers', () => {
  it('use the first of their names that is set, and an empty variable counts as not set', () => {
    const { providers, problems } = read({ KEYED_KEY: '', KEYED_API_KEY: ` ${secret} `, KEYED_REGION: 'us' })
    assert.deepEqual(problems, [])
    assert.deepEqual(providers.keyed, {
      settings: { apiKey: secret, region: 'us' },
      baseUrl: 'https://api.keyed.example/v1',
    })
    assert.deepEqual(read({ KEYED_KEY: 'first', KEYED_API_KEY: 'second' }).providers.keyed?.settings, {
      apiKey: 'first',
      region: 'eu',
    })
  })
  it('read secrets from a file, without the newline at its end', () => {
    const { providers, problems } = read(
      { KEYED_API_KEY_FILE: '/run/secrets/key' },
      (path) => `${secret}${path === '/run/secrets/key' ? '\n' : '?'}`,
    )
    assert.deepEqual(problems, [])
    assert.equal(providers.keyed?.settings.apiKey, secret)
  })
  it('reject a file that cannot be read or is empty, with the variable and the file', () => {
    const env = { KEYED_KEY_FILE: '/run/secrets/key' }
    assert.deepEqual(read(env).problems, [
      'KEYED_KEY_FILE must be a file that contains the secret, but "/run/secrets/key" can\'t be read (ENOENT).',
    ])
    assert.match(String(read(env, () => '\n').problems), /KEYED_KEY_FILE .*"\/run\/secrets\/key" is empty/)
  })
  it('reject a secret that is set both ways', () => {
    const { problems } = read({ KEYED_KEY: secret, KEYED_KEY_FILE: '/x' }, () => secret)
    assert.deepEqual(problems, ['KEYED_KEY and KEYED_KEY_FILE are both set. Remove one of them.'])
  })
  it('report an invalid value, but never the value of a secret', () => {
    const { problems } = read({ KEYED_KEY: `${secret}\nnext`, KEYED_REGION: 'nowhere' })
    assert.equal(problems.length, 2)
    assert.match(problems[0] ?? '', /^KEYED_KEY must be one line/)
    assert.equal(problems[1], 'KEYED_REGION must be two letters, but it is "nowhere".')
    assert.doesNotMatch(String(problems), /sk-/)
  })
  it('append the default path to a base URL without a path, and keep a path', () => {
    assert.equal(baseUrlOf('keyed', { KEYED_BASE_URL: 'http://127.0.0.1:4010' }), 'http://127.0.0.1:4010/v1')
    assert.equal(baseUrlOf('keyed', { KEYED_BASE_URL: 'http://127.0.0.1:4010/' }), 'http://127.0.0.1:4010/v1')
    assert.equal(baseUrlOf('keyed', { KEYED_BASE_URL: 'https://proxy.example/ai/v2/' }), 'https://proxy.example/ai/v2')
    assert.equal(baseUrlOf('hosted', { HOSTED_BASE_URL: 'https://mine.example' }), 'https://mine.example/openai/v1')
    assert.equal(baseUrlOf('own', { OWN_BASE_URL: 'http://10.0.0.4:8188' }), 'http://10.0.0.4:8188')
  })
  it('fill the base URL that contains a setting', () => {
    assert.equal(baseUrlOf('hosted', {}), undefined)
    assert.equal(baseUrlOf('hosted', { HOSTED_RESOURCE: 'mine' }), 'https://mine.hosted.example/openai/v1')
  })
  it('reject an unusable base URL, and one with credentials without showing them', () => {
    for (const url of [
      'ftp://x',
      'x.example',
      'http://x/?a=1',
      'http://x/#a',
      'http://me:hunter2@x/',
      'http://:hunter2@x/',
      'http://me@x/',
    ]) {
      const { problems } = read({ KEYED_BASE_URL: url })
      assert.equal(problems.length, 1, url)
      assert.match(problems[0] ?? '', /^KEYED_BASE_URL must be an http\(s\) URL/)
      assert.doesNotMatch(problems[0] ?? '', /hunter2/)
    }
    assert.match(String(read({ KEYED_BASE_URL: 'http://localhost:6000' }).problems), /must not use port 6000/)
  })
  it('append the usual path to a base URL without a path, if there is no default', () => {
    const served: Definition = { ...ownServer, baseUrl: { ...ownServer.baseUrl, path: '/v1' } }
    const baseUrlOf = (url: string) => readProviders({ OWN_BASE_URL: url }, [served], noFile).providers.own?.baseUrl
    assert.equal(baseUrlOf('http://localhost:11434'), 'http://localhost:11434/v1')
    assert.equal(baseUrlOf('http://localhost:11434/'), 'http://localhost:11434/v1')
    assert.equal(baseUrlOf('http://localhost:11434/api/v2'), 'http://localhost:11434/api/v2')
  })
  it('name the variables that would enable a provider', () => {
    const missingOf = (env: Record<string, string>) => {
      const { providers } = read(env)
      return [keyed, hosted, ownServer].map((definition) => {
        const config = providers[definition.id]
        return config && missingConfigOf(definition, config)?.text
      })
    }
    assert.deepEqual(missingOf({}), ['set KEYED_KEY', 'set HOSTED_RESOURCE', 'set OWN_BASE_URL'])
    assert.deepEqual(missingOf({ KEYED_KEY: 'x', HOSTED_RESOURCE: 'mine', OWN_BASE_URL: 'http://x' }), [
      undefined,
      undefined,
      undefined,
    ])
    const choosy: Definition = {
      ...keyed,
      missingConfig: ({ region }) => (region === 'eu' ? 'it is not there' : undefined),
    }
    const config = readProviders({ KEYED_KEY: 'x' }, [choosy], noFile).providers.keyed
    assert.deepEqual(config && missingConfigOf(choosy, config), { variables: [], text: 'it is not there' })
  })
  it('list all secrets for redaction', () => {
    const { providers } = read({ KEYED_KEY: secret, HOSTED_RESOURCE: 'mine' })
    assert.deepEqual(secretsOf([keyed, hosted, ownServer], providers), [secret])
  })
})
