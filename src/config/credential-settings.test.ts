import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeDevelopmentChain } from '../credentials/development-chain.ts'
import { systemClock } from '../domain/clock.ts'
import { ConfigError, readConfig, secretValues } from './config.ts'

const yearMs = 31_557_600_000
const chain = makeDevelopmentChain(systemClock.now())
const [leaf = '', root = ''] = chain.certificates.split(/(?<=-----END CERTIFICATE-----\n)/)
const files: Record<string, string> = {
  '/chain.pem': chain.certificates,
  '/leaf.pem': leaf,
  '/root.pem': root,
  '/reversed.pem': `${root}${leaf}`,
  '/key.pem': chain.key,
  '/other-key.pem': makeDevelopmentChain(systemClock.now()).key,
  '/expired.pem': makeDevelopmentChain(systemClock.now() - 11 * yearMs).certificates,
  '/future.pem': makeDevelopmentChain(systemClock.now() + yearMs).certificates,
  '/text.txt': 'hello',
  '/damaged.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
}

function read(env: Record<string, string>) {
  return readConfig(env, (path) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
    return text
  })
}

describe('settings of Content Credentials', () => {
  const CREDENTIALS_CERTIFICATES_FILE = '/chain.pem'
  const CREDENTIALS_KEY_FILE = '/key.pem'

  it('accept a chain with its key, with or without its root, or with a signer', () => {
    assert.equal(read({ CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_KEY_FILE }).credentialsKeyFile, '/key.pem')
    read({ CREDENTIALS_CERTIFICATES_FILE: '/leaf.pem', CREDENTIALS_KEY_FILE, CREDENTIALS_TRUST_FILE: '/root.pem' })
    read({ CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_SIGNER_URL: 'https://kms.example/sign?key=1' })
    read({ CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_SIGNER_URL: 'http://127.0.0.1:9000/sign' })
  })

  it('have a secret that the log redacts and errors do not repeat', () => {
    assert.ok(secretValues(read({ CREDENTIALS_SIGNER_AUTHORIZATION: 'Bearer s3cret' })).includes('Bearer s3cret'))
    refused({ CREDENTIALS_SIGNER_AUTHORIZATION: 's3\ncret' }, /CREDENTIALS_SIGNER_AUTHORIZATION must be one line/)
  })

  const wrong: [string, Record<string, string>, RegExp][] = [
    [
      'a missing file',
      { CREDENTIALS_CERTIFICATES_FILE: '/none.pem', CREDENTIALS_KEY_FILE },
      /can be read, .* \(ENOENT\)/,
    ],
    ['a file without certificates', { CREDENTIALS_CERTIFICATES_FILE: '/text.txt', CREDENTIALS_KEY_FILE }, /in PEM/],
    ['a damaged certificate', { CREDENTIALS_CERTIFICATES_FILE: '/damaged.pem', CREDENTIALS_KEY_FILE }, /1 is damaged/],
    ['an expired certificate', { CREDENTIALS_CERTIFICATES_FILE: '/expired.pem', CREDENTIALS_KEY_FILE }, /expired on/],
    [
      'a future certificate',
      { CREDENTIALS_CERTIFICATES_FILE: '/future.pem', CREDENTIALS_KEY_FILE },
      /not valid before/,
    ],
    ['the root first', { CREDENTIALS_CERTIFICATES_FILE: '/reversed.pem', CREDENTIALS_KEY_FILE }, /did not issue/],
    ['the root alone', { CREDENTIALS_CERTIFICATES_FILE: '/root.pem', CREDENTIALS_KEY_FILE }, /certificate authority/],
    ['another key', { CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_KEY_FILE: '/other-key.pem' }, /It has another key/],
    ['no key', { CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_KEY_FILE: '/text.txt' }, /unencrypted private key/],
    ['certificates alone', { CREDENTIALS_CERTIFICATES_FILE }, /requires CREDENTIALS_KEY_FILE or/],
    ['a key alone', { CREDENTIALS_KEY_FILE }, /CREDENTIALS_KEY_FILE requires CREDENTIALS_CERTIFICATES_FILE/],
    ['a signer alone', { CREDENTIALS_SIGNER_URL: 'https://kms.example' }, /URL requires CREDENTIALS_CERTIFICATES_FILE/],
    [
      'a key and a signer',
      { CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_KEY_FILE, CREDENTIALS_SIGNER_URL: 'https://kms.example' },
      /are both set/,
    ],
    ['a signer without TLS', { CREDENTIALS_SIGNER_URL: 'http://kms.example' }, /must be an https URL/],
    ['a trust file without certificates', { CREDENTIALS_TRUST_FILE: '/text.txt' }, /CREDENTIALS_TRUST_FILE must be/],
  ]
  for (const [name, env, message] of wrong)
    it(`refuse ${name}, together with other settings`, () => {
      refused({ ...env, PORT: 'x' }, message)
      refused({ ...env, PORT: 'x' }, /PORT must be/)
    })

  it('refuse certificates that may not sign Content Credentials', () => {
    files['/server.pem'] = serverCertificate
    refused(
      { CREDENTIALS_CERTIFICATES_FILE: '/server.pem', CREDENTIALS_KEY_FILE },
      /"localhost" needs the extended key usage c2pa-kp-claimSigning/,
    )
    assert.ok(new X509Certificate(serverCertificate).validToDate.getTime() > 0)
  })

  it('never show a part of a key', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    files['/secret.pem'] = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    assert.ok(createPublicKey(createPrivateKey(files['/secret.pem'])))
    const text = (files['/secret.pem'].split('\n')[1] ?? '').slice(0, 20)
    const message = refused({ CREDENTIALS_CERTIFICATES_FILE, CREDENTIALS_KEY_FILE: '/secret.pem' }, /another key/)
    assert.ok(!message.includes(text))
  })
})

function refused(env: Record<string, string>, message: RegExp): string {
  let found = ''
  assert.throws(
    () => read(env),
    (error: Error) => {
      found = error.message
      return error instanceof ConfigError && message.test(error.message)
    },
  )
  return found
}

/**
 * A certificate for TLS: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=localhost -addext
 * extendedKeyUsage=serverAuth -addext basicConstraints=CA:FALSE`.
 */
const serverCertificate = `-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUQfHCwPqEwOUt+1aA0QXV+aCu6Q8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA5NTUzN1oYDzIxMjYxMDMw
MDk1NTM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASiMCCI5rw8sTH0vcMUFj5SH7U1asdb0CX07WLMs/4nYf0gDKjPqC4F
Sy6+4nbUtV4sykoLPnvmYxvKckn81oeXo2UwYzAdBgNVHQ4EFgQUvap/QyEogPCJ
0X8255WcPf2lfKkwHwYDVR0jBBgwFoAUvap/QyEogPCJ0X8255WcPf2lfKkwEwYD
VR0lBAwwCgYIKwYBBQUHAwEwDAYDVR0TAQH/BAIwADAKBggqhkjOPQQDAgNHADBE
AiBn53IAqYtmLS82GBggXIJ1a5+wzPEo3SkMW2uB/S8PVgIgU73SXLyYo0RYeTva
Kfp+Ks/alplkF9xpPdcFdCbqY/8=
-----END CERTIFICATE-----
`
