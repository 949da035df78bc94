/** Requests to Amazon Bedrock. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ProviderProblem } from '../define.ts'
import { missingConfigOf, readProviders } from '../settings.ts'
import { bedrock } from './bedrock.ts'
import {
  callProvider as askProvider,
  pngBytes,
  requestImage,
  requestMask,
  respondJson,
  serveProvider,
} from './shared/test-provider.ts'

const canvas = 'amazon.nova-canvas-v1:0'
const imageResult = { images: [pngBytes(5).toString('base64')] }
const base64 = (bytes: Buffer) => bytes.toString('base64')

async function start(
  t: TestContext,
  body: unknown,
  settings: Record<string, string> = { bearerToken: 'aws-1' },
  status = 200,
) {
  const { url, requests } = await serveProvider(t, (_, response) =>
    respondJson(response, body, status, { 'x-amzn-requestid': 'amzn-1' }),
  )
  const server = { baseUrl: url, settings: { endpointRegion: 'us-east-1', ...settings } }
  return { requests, call: askProvider.bind(undefined, bedrock, server) }
}

test('requests an image with its size and seed', async (t) => {
  const { call, requests } = await start(t, imageResult)
  const response = await call('generate', canvas, { prompt: 'a bear', size: { width: 1280, height: 720 }, seed: 7 })
  assert.deepEqual(response, { images: [pngBytes(5)], seed: 7, requestId: 'amzn-1' })
  assert.equal(requests[0]?.path, '/model/amazon.nova-canvas-v1%3A0/invoke')
  assert.equal(requests[0]?.headers.authorization, 'Bearer aws-1')
  assert.deepEqual(requests[0]?.json, {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: 'a bear' },
    imageGenerationConfig: { width: 1280, height: 720, seed: 7, numberOfImages: 1 },
  })
})

test('inpaints where its mask is black', async (t) => {
  const { call, requests } = await start(t, imageResult)
  await call('inpaint', canvas, { prompt: 'a hat', images: [requestImage(1)], mask: requestMask })
  assert.deepEqual(requests[0]?.json, {
    taskType: 'INPAINTING',
    inPaintingParams: { image: base64(pngBytes(1)), text: 'a hat', maskImage: base64(await requestMask.black()) },
    imageGenerationConfig: { numberOfImages: 1 },
  })
})

test('removes a background without other params', async (t) => {
  const { call, requests } = await start(t, imageResult)
  assert.deepEqual((await call('remove-background', canvas, { images: [requestImage(1)] })).images, [pngBytes(5)])
  assert.deepEqual(requests[0]?.json, {
    taskType: 'BACKGROUND_REMOVAL',
    backgroundRemovalParams: { image: base64(pngBytes(1)) },
  })
})

test('requests text by Converse', async (t) => {
  const response = {
    output: { message: { role: 'assistant', content: [{ text: 'A bear.' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 },
    metrics: { latencyMs: 1 },
  }
  const { call, requests } = await start(t, response)
  const described = await call('describe', 'amazon.nova-lite-v1:0', { prompt: 'What?', images: [requestImage(1)] })
  assert.deepEqual(described, { text: 'A bear.', used: { inputTokens: 4, outputTokens: 2 }, requestId: 'amzn-1' })
  assert.equal(requests[0]?.path, '/model/amazon.nova-lite-v1%3A0/converse')
  assert.deepEqual(requests[0]?.json.messages, [
    {
      role: 'user',
      content: [{ image: { format: 'png', source: { bytes: base64(pngBytes(1)) } } }, { text: 'What?' }],
    },
  ])
  assert.deepEqual(requests[0]?.json.inferenceConfig, { maxTokens: 10_000 })
})

test('signs requests with an access key, for the configured region', async (t) => {
  const settings = {
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'hush',
    sessionToken: 'session',
    endpointRegion: 'eu-west-1',
  }
  const { call, requests } = await start(t, imageResult, settings)
  await call('remove-background', canvas, { images: [requestImage(1)] })
  const { authorization = '', 'x-amz-security-token': session } = requests[0]?.headers ?? {}
  assert.match(authorization, /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /)
  assert.equal(session, 'session')
  assert.doesNotMatch(JSON.stringify(requests[0]?.headers), /hush/)
})

test('reports declined content as refused, and a response without an image as no output', async (t) => {
  const problemOf = async (response: unknown) => {
    const { call, requests } = await start(t, response)
    const error = await call('generate', canvas, { prompt: 'x' }).catch((reason) => reason)
    assert.ok(error instanceof ProviderProblem, `${error}`)
    assert.equal(requests.length, 1)
    return error.kind
  }
  const details = { 'Moderation Reasons': ['Content filters'] }
  assert.equal(await problemOf({ id: '1', status: 'Request Moderated', details }), 'refused')
  const error = 'All of the generated images have been blocked by our content filters.'
  assert.equal(await problemOf({ images: [], error }), 'refused')
  assert.equal(await problemOf({ images: null, error }), 'refused')
  assert.equal(await problemOf({ images: [] }), 'no_output')
})

test('reports a used-up quota of the account, which arrives as 400, as quota', async (t) => {
  const { call } = await start(
    t,
    { message: 'Your request exceeds the service quota for your account.' },
    undefined,
    400,
  )
  const error = await call('generate', canvas, { prompt: 'x' }).catch((reason) => reason)
  assert.ok(error instanceof ProviderProblem, `${error}`)
  assert.equal(error.kind, 'quota')
})

test('rejects the seed 0, which the package drops, before sending', async (t) => {
  const { call, requests } = await start(t, imageResult)
  const error = await call('generate', canvas, { prompt: 'x', seed: 0 }).catch((reason) => reason)
  assert.ok(error instanceof ProviderProblem)
  assert.deepEqual([error.kind, requests.length], ['unsupported', 0])
})

test('the keys of S3 alone do not configure it', () => {
  const lack = (env: Record<string, string>) => {
    const { providers, problems } = readProviders(env, [bedrock], () => '')
    assert.deepEqual(problems, [])
    const config = providers.bedrock
    assert.ok(config)
    return [missingConfigOf(bedrock, config)?.text, config.baseUrl]
  }
  const s3 = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hush', AWS_REGION: 'eu-west-1' }
  assert.match(lack(s3)[0] ?? '', /AWS_BEARER_TOKEN_BEDROCK/)
  assert.match(lack({})[0] ?? '', /AWS_BEARER_TOKEN_BEDROCK/)
  const host = (region: string) => `https://bedrock-runtime.${region}.amazonaws.com`
  assert.deepEqual(lack({ ...s3, BEDROCK_REGION: 'us-west-2' }), [undefined, host('us-west-2')])
  assert.deepEqual(lack({ AWS_BEARER_TOKEN_BEDROCK: 'x' }), [undefined, host('us-east-1')])
})
