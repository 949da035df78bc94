/** POST /verify. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { generated, never, openTestCredentials } from '../../src/credentials/testing.ts'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import { noise, plain, svg } from '../harness/pictures.ts'
import { firstAccount, newAccount, smallService } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Images, Verified } from '../harness/types.ts'

area('verification of a file', { concurrency: 4 }, () => {
  const other = openTestCredentials()
  let api: Client
  let outside: SourceHost
  let unsigned: Buffer
  let signed: Buffer
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
    unsigned = await noise('jpeg', 64, 48)
    signed = (await other.sign({ format: 'jpeg', bytes: unsigned }, generated, { signal: never })).bytes
  })
  after(async () => {
    await other.close()
    assert.deepEqual([outside.connections, outside.requested], [0, []], 'a file made the service send a request')
    await outside.close()
  })
  const verify = async (bytes: Buffer): Promise<Verified> =>
    ok(await api.call<Verified>('POST', '/verify', { parts: [file(bytes, 'image')] }), 200)

  test('returns who signed it and how it was made, and stores nothing', async () => {
    const { api } = await newAccount()
    const reply = await api.call<Verified>('POST', '/verify', { parts: [file(signed, 'card.png', 'image/png')] })
    const { format, size, credentials } = ok(reply, 200)
    assert.deepEqual([format, size, credentials?.state], ['jpeg', signed.length, 'valid'])
    assert.deepEqual(
      credentials?.problems.map(({ code }) => code),
      ['signingCredential.untrusted'],
    )
    assert.deepEqual(
      [credentials?.signer?.commonName, credentials?.signer?.isOwn, credentials?.claimGenerator],
      ['Tintype development certificate', false, 'Tintype 1.2.3'],
    )
    assert.deepEqual(
      credentials?.actions.map(({ action, softwareAgent }) => [action, softwareAgent]),
      [['c2pa.created', 'acme/anvil-1']],
    )
    assert.deepEqual(credentials?.assertions, { 'com.tintype.execution': generated.execution })
    assert.deepEqual(ok<Images>(await api.get('/storage/images'), 200).images, [])
  })

  test('a file without Content Credentials has null', async () => {
    assert.equal((await verify(unsigned)).credentials, null)
    assert.equal((await verify(svg('<rect width="9" height="9"/>'))).credentials, null)
  })

  test('a file that was changed after it was signed is invalid, also if it can no longer be decoded', async () => {
    const changed = Buffer.from(signed)
    changed.fill(0, signed.length - 200, signed.length - 100)
    const { credentials } = await verify(changed)
    assert.equal(credentials?.state, 'invalid')
    assert.deepEqual(
      credentials.problems.map(({ code }) => code),
      ['assertion.dataHash.mismatch', 'signingCredential.untrusted'],
    )
    const cut = await verify(signed.subarray(0, signed.length - 500))
    assert.equal(cut.credentials?.state, 'invalid')
  })

  test('a file whose XMP names a manifest elsewhere causes no request', async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${outside.url('/c2pa')}"/></rdf:RDF></x:xmpmeta>`
    for (const format of ['jpeg', 'png', 'webp', 'tiff'] as const) {
      const { credentials } = await verify(await sharp(unsigned).withXmp(xmp).toFormat(format).toBuffer())
      // A PNG has its XMP compressed.
      if (format === 'png') assert.equal(credentials, null)
      else assert.deepEqual([credentials?.state, credentials?.problems[0]?.code], ['invalid', 'tintype.remote'], format)
    }
  })

  test('a file that is not an image, an empty one and one that is too large are rejected with the field file', async () => {
    for (const bytes of ['hello', ''])
      assert.deepEqual(issuePaths(await api.call('POST', '/verify', { parts: [file(bytes)] })), ['file'])
    assert.deepEqual(issuePaths(await api.call('POST', '/verify', { parts: [] })), ['file'])
    const small = await firstAccount(await smallService())
    const large = await noise('png', 400, 300)
    assert.deepEqual(issuePaths(await small.call('POST', '/verify', { parts: [file(large)] })), ['file'])
  })

  test('further fields are rejected', async () => {
    const parts = [file(await plain('png')), { field: 'name', value: 'x' }]
    assert.deepEqual(issuePaths(await api.call('POST', '/verify', { parts })), ['name'])
    refused(await api.call('POST', '/verify', { json: {} }), 'invalid_request')
  })
})
