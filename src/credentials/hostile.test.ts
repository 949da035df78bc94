/** Files that were made to harm a reader. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { repetitions } from '../../test/harness/repetitions.ts'
import {
  type CredentialFormat,
  credentialFormats,
  executionLabel,
  type Manifest,
} from '../domain/credentials/credentials.ts'
import { imageFormats } from '../domain/images/image.ts'
import { limits } from '../limits.ts'
import { openC2pa } from './c2pa.ts'
import { generated, generator, imageOf, never, openTestCredentials } from './testing.ts'

// In this process, as a process for each file would take most of the time. A crash of the library rejects, and a hang ends the test.
it('truncated and changed files of all formats are read and signed without a crash', {
  timeout: 1_800_000,
}, async (t) => {
  const credentials = opened(t)
  const c2pa = await openC2pa({ roots: { others: '', installation: '' }, ownLeaf: Buffer.alloc(500), generator })
  const files = await Promise.all(
    credentialFormats.map(async (format) => ({ format, bytes: await signed(credentials, format) })),
  )
  const random = createRandom(20_261_123)
  // The random numbers have a fixed seed: more calls would find more in a new release of the library, and nothing in the same one.
  const calls = repetitions(1_200, 8_000)
  const states: Record<string, number> = {}
  for (let call = 0; call < calls; call++) {
    const { format, bytes } = files[call % files.length] ?? assert.fail()
    const file = { mediaType: imageFormats[format].mediaType, bytes: damaged(bytes, random) }
    if (call % 4 === 3) {
      // As the source of another file.
      const ingredients = [
        { definition: JSON.stringify({ title: 'x', relationship: 'componentOf', instance_id: 'x' }), file },
      ]
      const base = { mediaType: 'image/gif', bytes: files.at(-1)?.bytes ?? Buffer.alloc(0) }
      const job = {
        kind: 'sign',
        file: base,
        definition: '{"title":"x","assertions":[]}',
        ingredients,
        algorithm: 'es256',
        coseBytes: 2_000,
      } as const
      // Without a signature, it ends with an error text.
      await c2pa
        .sign(job, () => Promise.reject(new Error('no')))
        .catch((error) => assert.notEqual(error?.name, 'RuntimeError'))
    } else {
      const state = (await c2pa.read(file))?.state ?? 'none'
      states[state] = (states[state] ?? 0) + 1
    }
  }
  assert.ok((states.invalid ?? 0) > calls / 4, JSON.stringify(states))
  // A damaged length field can make the module reserve hundreds of megabytes. Later files reuse this memory.
  const memoryBytes = c2pa.memoryBytes()
  for (let call = 0; call < 20 * files.length; call++) {
    const { format, bytes } = files[call % files.length] ?? assert.fail()
    assert.equal((await c2pa.read({ mediaType: imageFormats[format].mediaType, bytes }))?.state, 'valid', format)
  }
  assert.ok(c2pa.memoryBytes() <= memoryBytes + 16 * 1_048_576, `${memoryBytes} bytes became ${c2pa.memoryBytes()}`)
})

it('a large manifest is read without its facts, and a changed one is invalid', async (t) => {
  const credentials = opened(t)
  const large = repetitions(3_000_000, 30_000_000)
  const execution = { text: 'x'.repeat(large) }
  const file = { format: 'jpeg' as const, bytes: await imageOf('jpeg') }
  const { bytes } = await credentials.sign(file, { ...generated, execution }, { signal: never })
  assert.ok(bytes.length > large)
  const report = await credentials.read({ ...file, bytes }, { signal: never })
  assert.deepEqual([report?.state, report?.isShortened, report?.assertions], ['trusted', true, {}])
  const changed = Buffer.from(bytes)
  changed.writeUInt8(0x79, large / 2)
  assert.equal((await credentials.read({ ...file, bytes: changed }, { signal: never }))?.state, 'invalid')
  assert.equal(
    (await credentials.read({ ...file, bytes: bytes.subarray(0, large / 1.5) }, { signal: never }))?.state,
    'invalid',
  )
})

it('many ingredients are signed and reported', async (t) => {
  // A busy machine takes longer than the limits.
  const credentials = opened(t, { library: { signSeconds: 600, readSeconds: 600 } })
  const count = repetitions(100, limits.credentialIngredientsMax)
  const bytes = await imageOf('png', 8, 8)
  const ids = Array.from({ length: count }, (_, index) => `i${index}`)
  const manifest: Manifest = {
    ...generated,
    actions: [...generated.actions, { action: 'c2pa.placed', ingredientIds: ids }],
    ingredients: ids.map((id) => ({ id, title: id, relationship: 'componentOf', format: 'png', bytes })),
  }
  const file = { format: 'webp' as const, bytes: await imageOf('webp') }
  const result = await credentials.sign(file, manifest, { signal: never })
  const report = await credentials.read({ ...file, bytes: result.bytes }, { signal: never })
  assert.deepEqual([report?.state, report?.ingredients.length, report?.isShortened], ['trusted', count, false])
  const [first] = manifest.ingredients
  assert.ok(first)
  const tooMany = Array.from({ length: limits.credentialIngredientsMax + 1 }, (_, index) => ({
    ...first,
    id: `${index}`,
  }))
  const refused = credentials.sign(file, { ...generated, ingredients: tooMany }, { signal: never })
  await assert.rejects(refused, /1001 sources.*at most 1000/)
})

it('ingredients that contain each other twice at each level are reported within the bounds', async (t) => {
  const credentials = opened(t)
  let bytes = await signed(credentials, 'gif')
  for (let level = 0; level < 10; level++) {
    const ingredients = ['a', 'b'].map((id) => ({
      id,
      title: id,
      relationship: 'componentOf' as const,
      format: 'gif' as const,
      bytes,
    }))
    const file = { format: 'gif' as const, bytes: await imageOf('gif', 8, 8) }
    bytes = (await credentials.sign(file, { ...generated, ingredients }, { signal: never })).bytes
  }
  const report = await credentials.read({ format: 'gif', bytes }, { signal: never })
  assert.deepEqual([report?.state, report?.isShortened], ['trusted', true])
  assert.ok(JSON.stringify(report).length < 4_000_000)
})

it('one of many files that crash the reader keeps no other file from being read', async (t) => {
  // The program of the tests ends with this content, as the library would with a crash.
  const credentials = openTestCredentials({ library: { program: new URL('./test-library.ts', import.meta.url) } })
  t.after(credentials.close)
  const read = (text: string) => credentials.read({ format: 'gif', bytes: Buffer.from(text) }, { signal: never })
  const reports = await Promise.all(['crash C2PA_GIF', 'fine C2PA_GIF', 'crash C2PA_GIF', 'fine C2PA_GIF'].map(read))
  assert.deepEqual(
    reports.map((report) => report?.problems[0]?.code),
    Array(4).fill('tintype.unreadable'),
  )
})

it('integers that JavaScript cannot represent keep no manifest from being read', async (t) => {
  const credentials = opened(t)
  const file = { format: 'gif' as const, bytes: await imageOf('gif') }
  const { bytes } = await credentials.sign(file, { ...generated, execution: { large: 2 ** 60 } }, { signal: never })
  const report = await credentials.read({ ...file, bytes }, { signal: never })
  assert.deepEqual(report?.assertions[executionLabel], { large: 2 ** 60 })
})

it('the facts of an execution are read as they were written', async (t) => {
  const credentials = opened(t)
  const execution = { list: Array.from({ length: 1_000 }, (_, index) => index), nested: { large: 2 ** 40, none: null } }
  const file = { format: 'tiff' as const, bytes: await imageOf('tiff') }
  const { bytes } = await credentials.sign(file, { ...generated, execution }, { signal: never })
  const report = await credentials.read({ ...file, bytes }, { signal: never })
  assert.deepEqual(report?.assertions[executionLabel], execution)
})

function opened(t: TestContext, options: Parameters<typeof openTestCredentials>[0] = {}) {
  const credentials = openTestCredentials(options)
  t.after(credentials.close)
  return credentials
}

async function signed(credentials: ReturnType<typeof openTestCredentials>, format: CredentialFormat) {
  const file = { format, bytes: await imageOf(format, 16, 16) }
  return (await credentials.sign(file, generated, { signal: never })).bytes
}

/** Cut, with changed bytes, or with a changed length, mostly in the manifest. */
function damaged(bytes: Buffer, random: (below: number) => number): Buffer {
  const kind = random(4)
  if (kind === 0) return Buffer.from(bytes.subarray(0, random(bytes.length)))
  const changed = Buffer.from(bytes)
  for (let count = 1 + random(8); count > 0; count--) {
    const at = random(bytes.length - 4)
    if (kind === 1) changed.writeUInt8(random(256), at)
    else if (kind === 2) changed.writeUInt32BE(random(2 ** 32), at)
    else changed.copy(changed, at, random(bytes.length), at + random(64))
  }
  return changed
}

/** Repeatable (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
