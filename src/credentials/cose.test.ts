import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { it } from 'node:test'
import { type Algorithm, algorithms, coseBytes, coseSign1, hasLeaf, tokenBytesMax } from './cose.ts'

const claim = Buffer.from('a claim')
const certificates = [Buffer.alloc(600, 1), Buffer.alloc(400, 2)]

const keys = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: generateKeyPairSync('ed25519'),
} satisfies Record<Algorithm, unknown>

for (const algorithm of Object.keys(algorithms) as Algorithm[])
  it(`a signature with ${algorithm} has exactly the reserved size and can be verified`, async () => {
    const { privateKey, publicKey } = keys[algorithm]
    const options = { dsaEncoding: 'ieee-p1363' } as const
    let signed: Buffer | undefined
    const parts = { algorithm, certificates, hasTimestamp: false }
    const cose = await coseSign1(claim, {
      ...parts,
      async sign(bytes) {
        signed = bytes
        return sign(algorithms[algorithm].hash, bytes, { key: privateKey, ...options })
      },
    })
    assert.equal(cose.length, coseBytes(parts))
    assert.deepEqual(
      certificates.map((each) => hasLeaf(cose, each)),
      [true, false],
    )
    // The signature is the last item, and the claim the last item of the signed bytes.
    const signature = cose.subarray(-algorithms[algorithm].signatureBytes)
    assert.ok(signed?.subarray(-claim.length).equals(claim))
    assert.ok(verify(algorithms[algorithm].hash, signed ?? claim, { key: publicKey, ...options }, signature))
  })

it('a signature with a time stamp of any size, and without one, has the reserved size', async () => {
  const parts = { algorithm: 'ES256' as const, certificates, hasTimestamp: true }
  for (const bytes of [undefined, 1, 23, 24, 255, 256, 1_500, tokenBytesMax - 1, tokenBytesMax]) {
    const token = bytes === undefined ? undefined : Buffer.alloc(bytes, 7)
    const cose = await coseSign1(claim, { ...parts, sign: async () => Buffer.alloc(64), timestamp: async () => token })
    assert.equal(cose.length, coseBytes(parts), `${bytes}`)
    if (token) assert.ok(cose.includes(token))
  }
})

it('a signature of the wrong size is an error', async () => {
  const signing = coseSign1(claim, {
    algorithm: 'ES384',
    certificates,
    hasTimestamp: false,
    sign: async () => Buffer.alloc(64),
  })
  await assert.rejects(signing, /a signature with ES384 has 96 bytes/)
})
