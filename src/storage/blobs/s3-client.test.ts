import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { createClient } from './s3-client.ts'

test('reports a rejection without a message by its status and code', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end('<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code></Error>')
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  const client = createClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'wrong' },
    forcePathStyle: true,
    connectSeconds: 5,
    idleSeconds: 5,
    requestSeconds: 5,
    attemptsMax: 1,
    socketsMax: 1,
  })
  t.after(() => {
    client.destroy()
    server.close()
  })
  await assert.rejects(client.send(new ListObjectsV2Command({ Bucket: 'bucket' })), {
    name: 'SignatureDoesNotMatch',
    message: 'the storage returned 403 SignatureDoesNotMatch',
  })
})
