import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenStores } from './records.ts'

export function addressesContract(name: string, open: OpenStores): void {
  describe(`the address of the service in ${name}`, () => {
    test('is unknown before anyone served, and then that of whoever served last', async (t) => {
      const { addresses } = await open(t)
      assert.equal(await addresses.find(), undefined)
      for (const url of ['http://127.0.0.1:8080', 'https://tintype.example', 'https://tintype.example']) {
        await addresses.keep(url)
        assert.equal(await addresses.find(), url)
      }
    })
  })
}
