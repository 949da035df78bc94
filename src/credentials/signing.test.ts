/** Signers with keys and behind HTTPS, time stamps, and an independent reader. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Fault } from '../errors.ts'
import { parseChain, parseKey } from './chain.ts'
import { type CredentialsSetup, createReader } from './credentials.ts'
import { makeDevelopmentChain } from './development-chain.ts'
import { createRemoteSigner, type Post } from './remote-signer.ts'
import { createKeySigner } from './signer.ts'
import { generated, generator, imageOf, never, now, openTestCredentials } from './testing.ts'
import { createTimestamp } from './timestamp.ts'

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0
  } catch {
    return false
  }
})()
const skip = hasOpenssl ? false : 'openssl is not installed'

describe('keys', { skip }, () => {
  const kinds = {
    ES256: ['EC', 'ec_paramgen_curve:P-256'],
    ES384: ['EC', 'ec_paramgen_curve:P-384'],
    Ed25519: ['ED25519'],
  } as const
  for (const [algorithm, kind] of Object.entries(kinds))
    it(`of ${algorithm} sign, and the signature is valid`, async (t) => {
      const { certificates, key } = authority(t, kind)
      const chain = parseChain(certificates)
      assert.equal(chain.algorithm, algorithm)
      assert.equal((await signed(t, { signer: createKeySigner(chain, parseKey(key, chain)) })).state, 'trusted')
    })

  it('of a chain whose root is trusted by the operator are trusted, and are not the own ones', async (t) => {
    const { certificates, key, root } = authority(t, kinds.ES256)
    const chain = parseChain(certificates)
    const { bytes } = await signed(t, { signer: createKeySigner(chain, parseKey(key, chain)) })
    const other = openTestCredentials({ trustedRoots: root })
    t.after(other.close)
    const report = await other.read({ format: 'jpeg', bytes }, { signal: never })
    assert.deepEqual([report?.state, report?.signer?.isOwn, report?.signer?.commonName], ['trusted', false, 'Leaf'])
  })
})

describe('the certificate of this installation', { skip }, () => {
  it('is trusted, and others of its issuer only if the operator trusts the issuer', async (t) => {
    const { certificates, key, root, leaf, issueTo } = authority(t, ['EC', 'ec_paramgen_curve:P-256'])
    const chain = parseChain(certificates)
    const customer = issueTo('customer', 'Customer')
    const other = parseChain(`${customer.certificate}${root}`)
    const { bytes } = await signed(t, { signer: createKeySigner(other, parseKey(customer.key, other)) })
    const stateFor = async (trustedRoots: string, file: Buffer) => {
      const reader = createReader({ ownLeaf: chain.certificates[0], trustedRoots, generator })
      t.after(reader.close)
      const report = await reader.read({ format: 'jpeg', bytes: file }, { signal: never })
      return [report?.state, report?.signer?.isOwn]
    }
    const signer = createKeySigner(chain, parseKey(key, chain))
    const ownSigner = await signed(t, { signer })
    assert.deepEqual([ownSigner.state, ownSigner.report?.signer?.isOwn], ['trusted', true])
    const installation = openTestCredentials({ signer })
    t.after(installation.close)
    const report = await installation.read({ format: 'jpeg', bytes }, { signal: never })
    assert.deepEqual([report?.state, report?.signer?.isOwn], ['valid', false])
    assert.deepEqual(await stateFor('', bytes), ['valid', false])
    assert.deepEqual(await stateFor(root, bytes), ['trusted', false])
    assert.deepEqual(await stateFor('', ownSigner.bytes), ['trusted', true])
    // A chain file with the leaf alone.
    const alone = parseChain(leaf)
    const short = await signed(t, { signer: createKeySigner(alone, parseKey(key, alone)) })
    assert.deepEqual([short.state, short.report?.signer?.isOwn], ['trusted', true])
  })
})

describe('a signer behind HTTPS', () => {
  const development = makeDevelopmentChain(now)
  const chain = parseChain(development.certificates)
  const key = parseKey(development.key, chain)
  const encodings = {
    'r and s': (bytes: Buffer) => signBytes('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }),
    DER: (bytes: Buffer) => signBytes('sha256', bytes, { key, dsaEncoding: 'der' }),
  }
  for (const [name, encode] of Object.entries(encodings))
    it(`can return a signature as ${name}`, async (t) => {
      const post: Post = async (body) => {
        assert.ok('json' in body)
        const { algorithm, payload, digest } = body.json as Record<string, string>
        const bytes = Buffer.from(payload ?? '', 'base64')
        assert.equal(algorithm, 'ES256')
        assert.equal(digest, createHash('sha256').update(bytes).digest('base64'))
        return json({ signature: encode(bytes).toString('base64') })
      }
      // DER has numbers of different lengths.
      for (let count = 0; count < 20; count++)
        await createRemoteSigner(chain, post).sign(Buffer.from(`${count}`), never)
      assert.equal((await signed(t, { signer: createRemoteSigner(chain, post) })).state, 'trusted')
    })

  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const wrong: [string, Post, RegExp][] = [
    ['is away', () => Promise.reject(new Error('kms.example could not be reached.')), /could not be reached/],
    ['returns an error', async () => ({ status: 403, bytes: Buffer.from('no') }), /HTTP 403/],
    ['returns no JSON', async () => ({ status: 200, bytes: Buffer.from('<html>') }), /not JSON/],
    ['returns no signature', async () => json({}), /not JSON with a `signature`/],
    ['returns too few bytes', async () => json({ signature: 'AAAA' }), /not one of the certificate/],
    [
      'signs with another key',
      async () => json({ signature: signBytes('sha256', Buffer.from('x'), other).toString('base64') }),
      /not one of the certificate with ES256/,
    ],
  ]
  for (const [name, post, message] of wrong)
    it(`that ${name} fails the output with the reason provider_unavailable`, async (t) => {
      const error = await signed(t, { signer: createRemoteSigner(chain, post) }).catch((thrown) => thrown)
      assert.ok(error instanceof Fault, String(error))
      assert.equal(error.details.reason, 'provider_unavailable')
      assert.match(error.message, message)
      assert.match(error.message, /CREDENTIALS_SIGNER_URL/)
    })
})

describe('a time stamp', () => {
  it('is in the file, and keeps it trusted', { skip }, async (t) => {
    const stamps = stampAuthority(t)
    const timestamp = { get: createTimestamp(stamps.post), isRequired: true }
    const result = await signed(t, { timestamp, trustedRoots: stamps.root })
    assert.equal(result.state, 'trusted')
    assert.match(result.time ?? '', /^20\d\d-/)
    assert.deepEqual(result.warnings, [])
  })

  const failing: [string, Post, RegExp][] = [
    ['is away', () => Promise.reject(new Error('tsa.example could not be reached.')), /could not be reached/],
    ['returns an error', async () => ({ status: 500, bytes: Buffer.alloc(0) }), /HTTP 500/],
    ['returns no time stamp', async () => ({ status: 200, bytes: Buffer.from('x') }), /not a time stamp response/],
    // SEQUENCE { SEQUENCE { INTEGER 2 } }: rejection.
    ['refuses', async () => ({ status: 200, bytes: Buffer.from('30053003020102', 'hex') }), /status 2/],
    // SEQUENCE { SEQUENCE { INTEGER 0 }, SEQUENCE {} }: a token for nothing.
    [
      'stamps something else',
      async () => ({ status: 200, bytes: Buffer.from('300730030201003000', 'hex') }),
      /not one of/,
    ],
  ]
  for (const [name, post, message] of failing)
    it(`whose server ${name} is left out with a warning, or fails the output if it is required`, async (t) => {
      const get = createTimestamp(post)
      const { state, warnings } = await signed(t, { timestamp: { get, isRequired: false } })
      assert.equal(state, 'trusted')
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] ?? '', message)
      const error = await signed(t, { timestamp: { get, isRequired: true } }).catch((thrown) => thrown)
      assert.ok(error instanceof Fault, String(error))
      assert.equal(error.details.reason, 'provider_unavailable')
    })
})

it('an expired certificate signs nothing', async (t) => {
  const credentials = openTestCredentials({ expiresAt: now, clock: { now: () => now } })
  t.after(credentials.close)
  const signing = credentials.sign({ format: 'png', bytes: await imageOf('png') }, generated, { signal: never })
  await assert.rejects(signing, /the certificate expired on 2026-11-23/)
})

async function signed(t: TestContext, options: Partial<CredentialsSetup>) {
  const credentials = openTestCredentials(options)
  t.after(credentials.close)
  const file = { format: 'jpeg' as const, bytes: await imageOf('jpeg') }
  const { bytes, warnings } = await credentials.sign(file, generated, { signal: never })
  const report = await credentials.read({ ...file, bytes }, { signal: never })
  return { bytes, warnings, state: report?.state, time: report?.signer?.time, report }
}

function json(value: unknown) {
  return { status: 200, bytes: Buffer.from(JSON.stringify(value)) }
}

/** A root and a leaf that openssl made. PEM. */
function authority(t: TestContext, kind: readonly string[], purpose = 'emailProtection') {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-signing-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const [algorithm = '', option] = kind
  const makeKey = (name: string) =>
    openssl('genpkey', '-algorithm', algorithm, ...(option ? ['-pkeyopt', option] : []), '-out', `${name}.key`)
  makeKey('root')
  const about = ['-subj', '/O=Example/CN=Root', '-addext', 'keyUsage=critical,keyCertSign,cRLSign']
  openssl('req', '-x509', '-key', 'root.key', '-days', '30', ...about, '-out', 'root.pem')
  writeFileSync(
    at('extensions'),
    `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,${purpose}\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n`,
  )
  const issue = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-extfile', 'extensions']
  const issueTo = (name: string, subject: string) => {
    makeKey(name)
    openssl('req', '-new', '-key', `${name}.key`, '-subj', `/O=Example/CN=${subject}`, '-out', `${name}.csr`)
    openssl('x509', '-req', '-in', `${name}.csr`, ...issue, '-days', '20', '-out', `${name}.pem`)
    return { certificate: readFileSync(at(`${name}.pem`), 'utf8'), key: readFileSync(at(`${name}.key`), 'utf8') }
  }
  const root = readFileSync(at('root.pem'), 'utf8')
  const { certificate: leaf, key } = issueTo('leaf', 'Leaf')
  return { certificates: `${leaf}${root}`, root, leaf, key, folder, openssl, issueTo }
}

/** A time-stamp authority of openssl. */
function stampAuthority(t: TestContext): { post: Post; root: string } {
  const { folder, openssl, root } = authority(t, ['EC', 'ec_paramgen_curve:P-256'], 'timeStamping')
  const at = (name: string) => join(folder, name)
  writeFileSync(
    at('tsa.cnf'),
    '[tsa]\ndefault_tsa=t\n[t]\nserial=serial\ncrypto_device=builtin\nsigner_cert=leaf.pem\ncerts=root.pem\nsigner_key=leaf.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\naccuracy=secs:1\nordering=no\ntsa_name=no\ness_cert_id_chain=no\ness_cert_id_alg=sha256\n',
  )
  writeFileSync(at('serial'), '01')
  return {
    root,
    async post(body) {
      assert.ok('bytes' in body)
      assert.equal(body.mediaType, 'application/timestamp-query')
      writeFileSync(at('query'), body.bytes)
      openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', '-out', 'reply')
      return { status: 200, bytes: readFileSync(at('reply')) }
    },
  }
}
