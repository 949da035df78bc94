import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImageValue } from '../../imaging/types.ts'
import { encodeSigned, isSigned } from './sign-output.ts'

/** An encoder whose files have exactly the size limit, and a signature of 500 bytes. */
function recording(start = 5_000) {
  const limits: (number | undefined)[] = []
  return {
    limits,
    encode: async ({ maxBytes }: { maxBytes?: number }) => {
      limits.push(maxBytes)
      return { bytes: Buffer.alloc(maxBytes === undefined ? start : Math.min(start, maxBytes)) }
    },
    sign: async ({ bytes }: { bytes: Buffer }) => ({
      bytes: Buffer.concat([bytes, Buffer.alloc(500)]),
      credentials: 'trusted' as const,
      warnings: [],
    }),
  }
}

test('without a size limit a file is encoded and signed once', async () => {
  const { encode, sign, limits } = recording()
  const { bytes, credentials } = await encodeSigned(encode, {}, 'output', sign)
  assert.deepEqual([bytes.length, credentials, limits], [5_500, 'trusted', [undefined]])
})

test('a file that fits with its signature is not encoded again', async () => {
  const { encode, sign, limits } = recording()
  assert.equal((await encodeSigned(encode, { maxBytes: 5_500 }, 'output', sign)).bytes.length, 5_500)
  assert.deepEqual(limits, [5_500])
})

test('a file that only fits without its signature is encoded again, smaller', async () => {
  const { encode, sign, limits } = recording()
  const { bytes } = await encodeSigned(encode, { maxBytes: 4_000 }, 'output', sign)
  assert.ok(bytes.length <= 4_000, `${bytes.length}`)
  assert.deepEqual(limits, [4_000, 4_000 - 500 - 64])
})

test('a limit that the signature alone uses up is an error that says what to do', async () => {
  const { encode, sign } = recording()
  await assert.rejects(
    encodeSigned(encode, { maxBytes: 600 }, 'outputs.card', sign),
    /outputs.card.maxBytes" is 600 bytes.*need 500.*"never"/,
  )
})

test('by default, images of models and images with a source that has credentials are signed', () => {
  const plain: ImageValue = { width: 1, height: 1, hasAlpha: false, format: 'raw' }
  const from = (credentials?: 'invalid'): ImageValue => ({
    ...plain,
    madeFrom: { models: [], sources: [{ sha256: 'a', format: 'png', ...(credentials && { credentials }) }] },
  })
  for (const setting of [undefined, 'auto'] as const) {
    assert.equal(isSigned(setting, plain), false)
    assert.equal(isSigned(setting, from()), false)
    assert.equal(isSigned(setting, from('invalid')), true)
    assert.equal(isSigned(setting, { ...plain, origin: 'composite' }), true)
  }
  assert.equal(isSigned('always', plain), true)
  assert.equal(isSigned('never', { ...plain, origin: 'generated' }), false)
})
