import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMetricsServer } from './metrics-server.ts'

test('a scrape that fails is a 503, and the next one is read again', async (t) => {
  let scrapes = 0
  const text = async () => {
    scrapes += 1
    if (scrapes === 1) throw new Error('The executor does not respond.')
    return 'up 1\n'
  }
  const server = await openMetricsServer({ host: '127.0.0.1', port: 0, contentType: 'text/plain', text })
  t.after(() => server.close())
  const scrape = () => fetch(`http://127.0.0.1:${server.port}/metrics`)
  assert.equal((await scrape()).status, 503)
  const response = await scrape()
  assert.deepEqual([response.status, await response.text()], [200, 'up 1\n'])
})
