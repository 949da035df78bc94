import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Services } from '../../services.ts'
import { getDocs, getDocsFile } from './docs.ts'
import { getOpenApi } from './openapi.ts'

const requestOf = (params: object) => ({ params, headers: {} }) as unknown as Parameters<typeof getDocs.handle>[0]

test('responses without a key share the bytes of a file, so that clients that read slowly take no memory', async () => {
  let document = { openapi: '3.1.0' }
  const services = { openApi: () => document } as unknown as Services
  const openApi = async () => (await getOpenApi.handle(requestOf({}), services)).body
  const responses: [string, () => Promise<unknown>][] = [
    ['docs', async () => (await getDocs.handle(requestOf({}), services)).body],
    ['openapi.json', openApi],
  ]
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'start.js'])
    responses.push([file, async () => (await getDocsFile.handle(requestOf({ file }), services)).body])
  for (const [name, get] of responses) {
    const first = await get()
    assert.ok(first instanceof Buffer && first.length > 0, name)
    assert.equal(await get(), first, name)
  }
  document = { openapi: '3.1.1' }
  assert.equal(String(await openApi()), JSON.stringify(document))
})
