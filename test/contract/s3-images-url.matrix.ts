/** A service whose images a bucket serves at IMAGES_URL. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3'
import { createClient, ok } from '../harness/client.ts'
import { type Document, scale } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { startS3 } from '../harness/s3.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { deliver, deliveryUrl, newSigningKey } from '../harness/signed-urls.ts'
import { run, save, upload } from '../harness/workflows.ts'

const server = process.env.TINTYPE_TEST_S3 === undefined ? await startS3() : undefined
if (server) Object.assign(process.env, server.environment)
after(() => server?.stop())

test('a bucket at IMAGES_URL serves each image under its URL, and the service reads such a URL from storage, and sends the files of delivery URLs itself', async (t) => {
  const url = new URL(server?.url ?? process.env.TINTYPE_TEST_S3 ?? '')
  const endpoint = url.searchParams.get('endpoint') ?? ''
  const prefix = 'deep/er'
  // A bucket has one policy, so this test has a separate bucket.
  const bucket = `bucket-${randomUUID()}`
  url.hostname = bucket
  url.pathname = `/${prefix}`
  await createBucketForAll(endpoint, bucket, `${prefix}/img_*`)
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const IMAGES_URL = `${endpoint}/${bucket}/${prefix}`
  const service = await startWithoutExamples({
    STORAGE_URL: url.href,
    IMAGES_URL,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
  })
  t.after(() => service.remove())
  const api = await createClient(service, service.key)

  const bytes = await plain('png', 64, 48)
  const image = await upload(api, bytes)
  assert.ok(image.url.startsWith(`${IMAGES_URL}/img_`))
  const served = await fetch(image.url)
  assert.equal(served.headers.get('content-type'), 'image/png')
  assert.ok(Buffer.from(await served.arrayBuffer()).equals(bytes))

  // The bucket has an internal address, from which sources can't be fetched.
  const output = await run(api, (await save(api, scale())).id, { source: image.url })
  assert.ok(output.url.startsWith(`${IMAGES_URL}/img_`))
  assert.equal((await fetch(output.url)).status, 200)

  // A file that is larger than the service keeps in memory: the service sends it, unless the workflow redirects to the bucket.
  const key = await newSigningKey(api)
  const large = {
    name: 'Large',
    nodes: { noise: { type: 'noise', params: { width: 900, height: 900, kind: 'white' } } },
    output: { node: 'noise', format: 'png' },
    delivery: {},
  }
  const sent = await deliver(api, deliveryUrl(key, `${(await save(api, large as Document)).id}.png`))
  ok(sent)
  assert.ok(sent.bytes.length > 500_000, `${sent.bytes.length} bytes`)
  assert.equal(sent.headers.location, undefined)
  const redirecting = await save(api, { ...large, delivery: { redirect: true } } as Document)
  const { status, headers } = await deliver(api, deliveryUrl(key, `${redirecting.id}.png`))
  assert.equal(status, 302)
  const fromBucket = await fetch(headers.location ?? '')
  assert.deepEqual(Buffer.from(await fromBucket.arrayBuffer()), sent.bytes)

  ok(await api.delete(`/storage/images/${image.id}`))
  assert.ok([403, 404].includes((await fetch(image.url)).status))
})

async function createBucketForAll(endpoint: string, bucket: string, keys: string): Promise<void> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const grant = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/${keys}` }
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [grant] })
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }))
  client.destroy()
}
