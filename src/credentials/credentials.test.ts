import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import sharp from 'sharp'
import {
  type CredentialFormat,
  credentialFormats,
  executionLabel,
  type Manifest,
} from '../domain/credentials/credentials.ts'
import { digitalSourceType } from '../domain/images/origin.ts'
import { generated, imageOf, never, openTestCredentials } from './testing.ts'

describe('Content Credentials', () => {
  for (const format of credentialFormats)
    it(`of ${format} are signed, read back with all facts, and change no pixel`, async (t) => {
      const credentials = opened(t)
      const bytes = await imageOf(format)
      const signed = await credentials.sign({ format, bytes }, generated, { signal: never })
      const report = await credentials.read({ format, bytes: signed.bytes }, { signal: never })
      assert.deepEqual(report, {
        state: 'trusted',
        problems: [],
        title: 'Card',
        signer: {
          issuer: 'Self-signed Tintype installation',
          commonName: 'Tintype development certificate',
          algorithm: 'Es256',
          isOwn: true,
        },
        claimGenerator: 'Tintype 1.2.3',
        actions: [
          {
            action: 'c2pa.created',
            digitalSourceType: digitalSourceType('trainedAlgorithmicMedia'),
            softwareAgent: 'acme/anvil-1',
          },
        ],
        ingredients: [],
        assertions: { [executionLabel]: { workflow: 'wf_1', seeds: [1, 300], when: null } },
        isShortened: false,
      })
      assert.deepEqual(await pixels(signed.bytes), await pixels(bytes))
    })

  it('of another installation are valid, but their signer is not trusted', async (t) => {
    const [first, other] = [opened(t), opened(t)]
    const file = { format: 'png' as const, bytes: await imageOf('png') }
    const { bytes } = await other.sign(file, generated, { signal: never })
    const report = await first.read({ ...file, bytes }, { signal: never })
    assert.equal(report?.state, 'valid')
    assert.equal(report.signer?.isOwn, false)
    assert.deepEqual(
      report.problems.map(({ code }) => code),
      ['signingCredential.untrusted'],
    )
  })

  it('of another installation do not make their ingredients trusted', async (t) => {
    const [first, other] = [opened(t), opened(t)]
    const source = await signedImage(other, 'png')
    const manifest: Manifest = {
      ...generated,
      actions: [{ action: 'c2pa.opened', ingredientIds: ['a'] }],
      ingredients: [{ id: 'a', title: 'a.png', relationship: 'parentOf', format: 'png', bytes: source }],
    }
    const { bytes } = await other.sign({ format: 'png', bytes: await imageOf('png') }, manifest, { signal: never })
    const states = async (credentials: typeof first) => {
      const report = await credentials.read({ format: 'png', bytes }, { signal: never })
      const inner = report?.ingredients[0]?.credentials
      return [report?.state, inner?.state, inner?.signer?.isOwn]
    }
    assert.deepEqual(await states(other), ['trusted', 'trusted', false])
    assert.deepEqual(await states(first), ['valid', 'valid', false])
  })

  for (const format of credentialFormats)
    it(`of ${format} are invalid after one byte of the image has changed`, async (t) => {
      const credentials = opened(t)
      const signed = await signedImage(credentials, format)
      for (const offset of imageOffsets(format, signed)) {
        const bytes = flipped(signed, offset)
        const report = await credentials.read({ format, bytes }, { signal: never })
        assert.equal(report?.state ?? 'none', 'invalid', `byte ${offset} of ${bytes.length}`)
      }
    })

  it('contain ingredients with their credentials, and a changed ingredient has its own problems', async (t) => {
    const credentials = opened(t)
    const source = await signedImage(credentials, 'webp')
    const changed = flipped(source, imageOffsets('webp', source)[0] ?? 0)
    const manifest: Manifest = {
      title: 'Composite',
      actions: [
        { action: 'c2pa.opened', ingredientIds: ['a'] },
        { action: 'c2pa.placed', ingredientIds: ['b', 'c'] },
        { action: 'c2pa.resized', description: 'resize' },
      ],
      ingredients: [
        { id: 'a', title: 'a.webp', relationship: 'parentOf', format: 'webp', bytes: source },
        { id: 'b', title: 'b.webp', relationship: 'componentOf', format: 'webp', bytes: changed },
        { id: 'c', title: 'c.png', relationship: 'componentOf', format: 'png', bytes: await imageOf('png') },
      ],
    }
    const { bytes } = await credentials.sign({ format: 'jpeg', bytes: await imageOf('jpeg') }, manifest, {
      signal: never,
    })
    const report = await credentials.read({ format: 'jpeg', bytes }, { signal: never })
    assert.equal(report?.state, 'trusted')
    assert.deepEqual(
      report.ingredients.map((ingredient) => [
        ingredient.title,
        ingredient.relationship,
        ingredient.mediaType,
        ingredient.credentials?.state,
        ingredient.credentials?.actions[0]?.softwareAgent,
        ingredient.credentials?.problems.map(({ code }) => code),
      ]),
      [
        ['a.webp', 'parentOf', 'image/webp', 'trusted', 'acme/anvil-1', []],
        ['b.webp', 'componentOf', 'image/webp', 'invalid', 'acme/anvil-1', ['assertion.dataHash.mismatch']],
        ['c.png', 'componentOf', 'image/png', undefined, undefined, undefined],
      ],
    )
  })

  it('are replaced when a file is signed again', async (t) => {
    const credentials = opened(t)
    const bytes = await signedImage(credentials, 'jpeg')
    const again = await credentials.sign({ format: 'jpeg', bytes }, { ...generated, title: 'Again' }, { signal: never })
    const report = await credentials.read({ format: 'jpeg', bytes: again.bytes }, { signal: never })
    assert.deepEqual([report?.state, report?.title, report?.ingredients], ['trusted', 'Again', []])
  })

  const mistakes: [string, Partial<Manifest>, RegExp][] = [
    ['no action', { actions: [] }, /first action/],
    ['a created image without a source type', { actions: [{ action: 'c2pa.created' }] }, /digitalSourceType/],
    [
      'an unknown source type',
      { actions: [{ action: 'c2pa.created', digitalSourceType: 'http://example.com/x' }] },
      /IPTC/,
    ],
    ['an opened image without an ingredient', { actions: [{ action: 'c2pa.opened' }] }, /ingredientIds/],
    ['an unknown ingredient', { actions: [{ action: 'c2pa.opened', ingredientIds: ['x'] }] }, /"?x"?, which/],
  ]
  for (const [name, part, message] of mistakes)
    it(`are not signed with ${name}`, async (t) => {
      const credentials = opened(t)
      const file = { format: 'jpeg' as const, bytes: await imageOf('jpeg') }
      await assert.rejects(credentials.sign(file, { ...generated, ...part }, { signal: never }), message)
    })
})

function opened(t: TestContext) {
  const credentials = openTestCredentials()
  t.after(credentials.close)
  return credentials
}

async function signedImage(credentials: ReturnType<typeof openTestCredentials>, format: CredentialFormat) {
  return (await credentials.sign({ format, bytes: await imageOf(format) }, generated, { signal: never })).bytes
}

async function pixels(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).raw().toBuffer()
}

function flipped(bytes: Buffer, offset: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset)
  return changed
}

/** Offsets of pixel data, outside of the manifest. */
function imageOffsets(format: CredentialFormat, bytes: Buffer): number[] {
  // The manifest is at the end of these files, and near the start of the others.
  const isLast = format === 'webp' || format === 'tiff'
  const start = isLast ? Math.floor(bytes.length * 0.05) : bytes.length - 1_000
  return [0, 100, 200, 300, 400, 500, 600].map((step) => start + step)
}
