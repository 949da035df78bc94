/** A process that sends webhooks is killed at each of its steps. After a restart, every event is delivered, with one id. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { limits } from '../../src/limits.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { execution, firstPage, refused, tenant } from '../contract/records.ts'
import { endpointOf } from '../contract/webhooks.ts'

const program = fileURLToPath(new URL('processes/dying-sender.ts', import.meta.url))

describe('a process that sends webhooks', () => {
  const received: string[] = []
  const server = http.createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  })
  let folder: string
  let host: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tintype-webhooks-'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  async function run(file: string, ...args: string[]): Promise<string | null> {
    const [, signal] = await once(fork(program, [file, host, ...args]), 'exit')
    return signal as string | null
  }

  for (const method of ['dispatch', 'claim', 'post', 'record']) {
    for (const when of ['before', 'after']) {
      test(`delivers every event after it was killed ${when} ${method}`, async () => {
        const file = join(folder, `${method}-${when}.db`)
        const { stores, close } = await openDatabase({ file })
        const { account, workflow } = await tenant(stores)
        await stores.webhookEndpoints.create(endpointOf(account.id, { url: `http://${host}/` }))
        const created = [execution(workflow), execution(workflow), execution(workflow)]
        for (const createdExecution of created) {
          await stores.executions.create(createdExecution)
          await stores.executions.cancel(createdExecution.id, { error: refused, completedAt: 1_795_000_000_000 })
        }
        await close()
        received.length = 0
        assert.equal(await run(file, method, when), 'SIGKILL')
        assert.equal(await run(file, 'none', 'never', String(limits.webhookLeaseSeconds * 1_000)), null)
        assert.deepEqual([...new Set(received)].sort(), created.map(({ id }) => id.replace('exec_', 'evt_')).sort())
        const reopened = await openDatabase({ file })
        const { items } = await reopened.stores.webhookDeliveries.list(account.id, firstPage, {})
        await reopened.close()
        assert.deepEqual(
          items.map(({ status }) => status),
          ['delivered', 'delivered', 'delivered'],
        )
      })
    }
  }
})
