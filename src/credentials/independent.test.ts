/** Signed files, read by an independent implementation. It has no WebP, TIFF and GIF, and checks no chain of trust. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset'
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf'
import { ManifestStore, type ValidationResult } from '@trustnxt/c2pa-ts/manifest'
import { generated, imageOf, never, openTestCredentials } from './testing.ts'

const readers = { jpeg: JPEG, png: PNG, avif: BMFF } as const

for (const [format, reader] of Object.entries(readers) as [keyof typeof readers, typeof JPEG][])
  it(`an independent reader finds a signed ${format} valid, and a changed one invalid`, async (t) => {
    const bytes = await signed(t, format)
    const result = await validated(new reader(bytes))
    assert.deepEqual([result.isValid, codesOf(result, false)], [true, []])
    assert.ok(codesOf(result, true).includes('claimSignature.validated'), codesOf(result, true).join())
    const changed = Buffer.from(bytes)
    const at = bytes.length - 100
    changed.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
    const after = await validated(new reader(changed))
    assert.equal(after.isValid, false)
    assert.deepEqual(codesOf(after, false), [
      format === 'avif' ? 'assertion.bmffHash.mismatch' : 'assertion.dataHash.mismatch',
    ])
  })

it('an independent reader finds the facts of an execution as they were written', async (t) => {
  const asset = new JPEG(await signed(t, 'jpeg'))
  const box = boxOf(asset)
  assert.match(box.toString(), /com\.tintype\.execution/)
})

async function signed(t: TestContext, format: keyof typeof readers): Promise<Buffer> {
  const credentials = openTestCredentials()
  t.after(credentials.close)
  const file = { format, bytes: await imageOf(format) }
  return (await credentials.sign(file, generated, { signal: never })).bytes
}

async function validated(asset: Asset): Promise<ValidationResult> {
  return ManifestStore.read(boxOf(asset)).validate(asset)
}

function boxOf(asset: Asset): SuperBox {
  return SuperBox.fromBuffer(new Uint8Array(asset.getManifestJUMBF() ?? assert.fail('there is no manifest')))
}

function codesOf({ statusEntries }: ValidationResult, success: boolean): string[] {
  return statusEntries.filter((entry) => entry.success === success).map(({ code }) => String(code))
}
