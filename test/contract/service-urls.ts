import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenStores } from './records.ts'

export function serviceUrlsContract(name: string, open: OpenStores): void {
  describe(`the URL of the service in ${name}`, () => {
    test('is unknown before the first start, and then the URL of the last start', async (t) => {
      const { serviceUrls } = await open(t)
      assert.equal(await serviceUrls.find(), undefined)
      for (const url of ['http://127.0.0.1:8080', 'https://tintype.example', 'https://tintype.example']) {
        await serviceUrls.keep(url)
        assert.equal(await serviceUrls.find(), url)
      }
    })
  })
}
