/**
 * Requirements of every adapter, tested with the fake of its provider. Every provider of the registry is tested; without
 * a fake with its id the test fails.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import type { Fake, FakeOptions } from '../../fakes/src/fake.ts'
import { fakeKinds, startFake } from '../../fakes/src/index.ts'
import { schemaProblems } from '../../shared/json-schema.ts'
import type { Call, Provider } from '../../src/providers/define.ts'
import { providersById } from '../../src/providers/index.ts'
import { missingConfigOf } from '../../src/providers/settings.ts'
import { isFull } from '../harness/repetitions.ts'
import {
  type CallResult,
  callOf,
  callProvider,
  configOf,
  contextOf,
  hole,
  type Subject,
  subjectsOf,
} from './providers-ask.ts'
import { faults } from './providers-faults.ts'

const providers = [...providersById.values()]
const subjects = new Map<Provider, Subject[]>()
for (const provider of providers) subjects.set(provider, await subjectsOf(provider))

test('every provider has a fake, whose settings are sufficient', () => {
  assert.ok(providers.length >= 12)
  assert.deepEqual(providers.map(({ id }) => id).sort(), fakeKinds.map(({ id }) => id).sort())
  for (const provider of providers) {
    assert.equal(missingConfigOf(provider, configOf(provider, 'http://127.0.0.1:9100', 'fake')), undefined, provider.id)
    assert.ok((subjects.get(provider) ?? []).length > 0, `${provider.id} has no model`)
  }
})

test('a fake reports and accepts settings over HTTP', async (t) => {
  const fake = await opened(t, 'bfl')
  const script = JSON.stringify([{ when: { path: 'get_result' }, do: 'status', status: 418 }])
  await fetch(`${fake.url}/__fake/script`, { method: 'POST', body: script })
  const response = await fetch(`${fake.url}/v1/get_result?id=x`, { headers: { 'x-key': 'fake' } })
  assert.equal(response.status, 418)
  const log = (await (await fetch(`${fake.url}/__fake/log`)).json()) as object[]
  assert.deepEqual(log, JSON.parse(JSON.stringify(fake.log)))
  assert.equal(log.length, 1)
  assert.deepEqual(await (await fetch(`${fake.url}/__fake/billed`)).json(), [])
})

// Tests of a provider run concurrently, so each has a separate fake.
const concurrency = 4

for (const [provider, all] of subjects) {
  test(`${provider.id}: every model supports the features of its row`, {
    concurrency,
  }, async (t) => {
    const results = different(all).map((subject) =>
      t.test(`${subject.row.name} ${subject.capability}${subject.isStructured ? ' of a schema' : ''}`, async (t) => {
        const fake = await opened(t, provider.id)
        const call = await callOf(subject)
        await holds(call, await callProvider(subject, call, contextOf(provider, fake)), fake)
      }),
    )
    await Promise.all(results)
  })

  for (const subject of isFull ? faultSubjects(all) : [])
    test(`${provider.id}: ${subject.row.name} (${subject.capability}) with faults`, {
      concurrency,
    }, async (t) => {
      const tried = faults
        .filter((fault) => fault.isFor(subject))
        .map((fault) =>
          t.test(fault.name, async (t) => {
            const fake = await opened(t, provider.id, fault.options)
            await fault.run({ subject, fake, call: await callOf(subject), t })
          }),
        )
      await Promise.all(tried)
    })
}

/** The first of several models with the same requests. */
function different(all: Subject[]): Subject[] {
  const ways = new Map<string, Subject>()
  for (const subject of all.flatMap(withSchema)) {
    const { name: _, price: _price, can, ...rowFields } = subject.row
    const way = JSON.stringify([subject.capability, can[subject.capability], rowFields, subject.isStructured])
    // The input of fal and Replicate differs by model, also beyond the rows.
    const key = ['fal', 'replicate'].includes(subject.provider.id) ? subject.row.name + subject.capability : way
    if (!ways.has(key)) ways.set(key, subject)
  }
  return [...ways.values()]
}

/** Adds the case with a schema, if the model supports it. */
function withSchema(subject: Subject): Subject[] {
  const { structuredOutput } = subject.row.can[subject.capability] ?? {}
  return structuredOutput ? [subject, { ...subject, isStructured: true }] : [subject]
}

/** One model for each kind of request of an adapter: images, texts, and other differences. */
function faultSubjects(all: Subject[]): Subject[] {
  const isText = ({ capability }: Subject) => capability === 'write' || capability === 'describe'
  const picked = [
    all.find((subject) => !isText(subject) && subject.capability !== 'judge'),
    all.find(isText),
    all.find(({ row }) => row.name === 'upscale-creative'),
  ]
  return [...new Set(picked)].filter((subject) => subject !== undefined)
}

async function holds({ request, capability }: Call, result: CallResult, fake: Fake): Promise<void> {
  assert.equal(fake.billed().length, 1, 'it is paid once')
  assert.deepEqual(
    fake.log.flatMap(({ ignored }) => ignored),
    [],
    'everything that was sent means something to the provider',
  )
  assert.deepEqual(
    fake.log.filter(({ status = 0 }) => status >= 400).map(({ path, status }) => `${path} ${status}`),
    [],
  )
  const seen = fake.log.flatMap(({ images }) => images)
  for (const { bytes, width, height } of request.images) {
    const fits = seen.filter((image) => image.width === width && image.height === height)
    assert.ok(fits.length >= request.images.length, 'it was shown every picture, in its size')
    assert.ok(bytes.length > 0)
  }
  if (result.seed !== undefined && request.seed !== undefined) assert.equal(result.seed, request.seed)
  if (capability === 'judge') {
    // The second is brighter.
    assert.equal(JSON.parse(result.text ?? '').index, 2)
    return
  }
  if (capability === 'write' || capability === 'describe') {
    assert.match(result.text ?? '', /FAKE/)
    if (request.schema) assert.deepEqual(schemaProblems(request.schema, JSON.parse(result.text ?? '')), [])
    return
  }
  assert.equal(result.files.length, 1)
  await holdsForImage(request, result.files[0] ?? Buffer.alloc(0), capability)
}

async function holdsForImage(request: Call['request'], file: Buffer, capability: string): Promise<void> {
  const { data, info } = await sharp(file, { failOn: 'warning' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const [image] = request.images
  if (request.size) assert.deepEqual({ width, height }, request.size)
  if (request.aspectRatio) {
    const [across = 0, down = 0] = request.aspectRatio.split(':').map(Number)
    assert.ok(Math.abs((width / height) * (down / across) - 1) < 0.06, `${width}x${height} is ${request.aspectRatio}`)
  }
  if (request.transparency) assert.ok(alphasOf(data).has(0), 'its ground is transparent')
  if (capability === 'upscale' && image)
    assert.ok(width >= image.width * (request.scale ?? 1) && height >= image.height * (request.scale ?? 1))
  if (capability === 'remove-background') {
    assert.deepEqual([width, height], [image?.width, image?.height])
    const alphas = alphasOf(data)
    assert.ok(alphas.has(0) && alphas.has(255), 'its ground is gone, and something is left')
  }
  if (capability !== 'inpaint' || !image) return
  const at = (x: number, y: number) => {
    const pixel = (Math.round((y / image.height) * height) * width + Math.round((x / image.width) * width)) * 4
    return [...data.subarray(pixel, pixel + 3)]
  }
  const near = (a: number[], b: number[]) => a.every((value, channel) => Math.abs(value - (b[channel] ?? 0)) < 24)
  assert.ok(near(at(40, 40), [0x20, 0x50, 0x80]), `outside of the mask it stays: ${at(40, 40)}`)
  const inside = at(hole.left + 128, hole.top + 200)
  assert.ok(!near(inside, [0x20, 0x50, 0x80]), `inside of the mask it is made anew: ${inside}`)
}

/** The alpha values of an image with four bytes per pixel. */
function alphasOf(data: Buffer): Set<number> {
  const alphas = new Set<number>()
  for (let at = 3; at < data.byteLength; at += 4) alphas.add(data[at] ?? 0)
  return alphas
}

async function opened(t: { after(work: () => Promise<void>): void }, id: string, options?: FakeOptions): Promise<Fake> {
  const fake = await startFake(id, options)
  t.after(() => fake.close())
  return fake
}
