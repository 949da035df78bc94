import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Manifest } from '../../domain/credentials/credentials.ts'
import { checkManifest } from '../../domain/credentials/credentials.ts'
import type { ImageSource } from '../../domain/credentials/made-from.ts'
import type { Execution, Step } from '../../domain/executions/execution.ts'
import type { Image } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import { createChecker } from '../../engine/check/check.ts'
import { planExecution } from '../../engine/plan/plan.ts'
import { Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { catalogue } from '../../operations/index.ts'
import { createOutputCredentials } from './output-credentials.ts'

const check = createChecker(catalogue)
const execution = {
  id: 'exec_1',
  accountId: 'acct_1',
  workflowId: 'wf_1',
  workflowVersion: 3,
  parameters: { a: 'secret' },
}

type Nodes = Record<
  string,
  { type: string; inputs?: object; params?: object; origin?: Step['origin']; status?: Step['status'] }
>

function open({ fail }: { fail?: Error } = {}) {
  const manifests: Manifest[] = []
  const files = new Map<string, Buffer>()
  const opened: string[] = []
  let reserved = 0
  const credentials = createOutputCredentials({
    version: '1.2.3',
    credentials: {
      async sign({ bytes }, manifest) {
        if (fail) throw fail
        const damaged = manifest.ingredients.some((each) => each.bytes && Buffer.from(each.bytes).includes('damaged'))
        if (damaged) throw failure('internal', 'The output could not be signed.')
        checkManifest(manifest)
        manifests.push(manifest)
        return { bytes: Buffer.from(bytes), warnings: [] }
      },
    },
    images: {
      find: async (_, id) => {
        const size = files.get(id)?.length ?? 0
        return files.has(id) ? ({ id, name: `${id}.png`, format: 'png', size } as Image) : undefined
      },
    },
    sources: {
      async identify(_, source) {
        const bytes = files.get(source)
        return bytes && hash('sha256', bytes)
      },
      async open(_, source, __, { reserve } = {}) {
        opened.push(source)
        const bytes = files.get(source)
        if (bytes === undefined) throw new Error('it was deleted')
        await reserve?.(bytes.length)
        return { bytes, sha256: hash('sha256', bytes), imageId: source }
      },
    },
  })

  /** The manifest and the warnings of an output of these nodes. */
  async function sign(
    nodes: Nodes,
    output: string,
    sources: ImageSource[],
    { isRequired = false, models = ['a/b'], origin }: { isRequired?: boolean; models?: string[]; origin?: Origin } = {},
  ) {
    const plain = Object.fromEntries(
      Object.entries(nodes).map(([id, { type, inputs = {}, params = {} }]) => [id, { type, inputs, params }]),
    )
    const { workflow, issues } = check({ name: 'Card', nodes: plain, output: { node: output } })
    assert.ok(workflow, JSON.stringify(issues))
    const { plan } = planExecution(workflow, {})
    assert.ok(plan)
    const steps = Object.entries(nodes).map(([node, { type, origin, status = 'completed' }]) => {
      return { node, operation: type, status, ...(origin && { origin }) } as Step
    })
    const { sign, opened: sawOpened } = credentials.of(execution as unknown as Execution, plan)
    const file = { bytes: Buffer.from('file'), format: 'png' as const }
    const image = { madeFrom: { models, sources }, ...(origin && { origin }) }
    const options = {
      signal: new AbortController().signal,
      steps,
      pixelHashes: new Map([['painted', 'abc']]),
      isRequired,
      output: plan.workflow.output,
      reserve: async (bytes: number) => {
        reserved += bytes
        return () => {
          reserved -= bytes
        }
      },
    }
    return { run: () => sign(file, image, options), sawOpened }
  }
  return { sign, manifests, files, opened, reserved: () => reserved }
}

const stored = (
  id: string,
  bytes: Buffer,
  files: Map<string, Buffer>,
  credentials?: 'valid' | 'invalid',
): ImageSource => {
  files.set(id, bytes)
  return { sha256: hash('sha256', bytes), format: 'png', imageId: id, ...(credentials && { credentials }) }
}

test('the source at the start of the first inputs is opened, others are placed, and steps follow in their order', async () => {
  const { sign, manifests, files, opened } = open()
  const [a, b] = [stored('img_a', Buffer.from('a'), files), stored('img_b', Buffer.from('b'), files, 'valid')]
  const nodes: Nodes = {
    logo: { type: 'image', params: { source: 'img_b' } },
    photo: { type: 'image', params: { source: 'img_a' } },
    cut: { type: 'crop', inputs: { image: 'photo' }, params: { width: 4, height: 4 } },
    known: { type: 'info', inputs: { image: 'cut' } },
    left: { type: 'blur', inputs: { image: 'cut' }, status: 'skipped' },
    both: { type: 'composite', inputs: { image: 'left', overlay: 'logo' } },
    painted: {
      type: 'edit',
      inputs: { images: ['both'] },
      params: { prompt: 'Rain', model: 'a/b' },
      origin: 'composite',
    },
  }
  const { run } = await sign(nodes, 'painted', [b, a])
  assert.deepEqual((await run()).warnings, [])
  const [manifest] = manifests
  assert.deepEqual(
    manifest?.actions.map(({ action, ingredientIds, softwareAgent }) => [
      action,
      ingredientIds?.length,
      softwareAgent?.name,
    ]),
    [
      ['c2pa.opened', 1, undefined],
      ['c2pa.placed', 1, undefined],
      ['c2pa.cropped', undefined, undefined],
      ['c2pa.edited', undefined, undefined],
      ['c2pa.edited', undefined, 'a/b'],
    ],
  )
  const parts = manifest?.ingredients.map(({ title, relationship, bytes }) => [title, relationship, bytes?.toString()])
  assert.deepEqual(parts, [
    ['img_a.png', 'parentOf', undefined],
    ['img_b.png', 'componentOf', 'b'],
  ])
  assert.deepEqual(opened, ['img_b'], 'only the file with credentials is read')
  assert.equal(manifest?.title, 'Card.png')
  assert.ok(!JSON.stringify(manifest?.execution).includes('secret'), 'parameters are only a hash')
})

test('an image that is drawn or generated is created', async () => {
  const { sign, manifests } = open()
  await (await sign({ a: { type: 'canvas', params: { width: 9, height: 9, color: '#fff' } } }, 'a', [])).run()
  const generated = { type: 'generate', params: { prompt: 'A', model: 'a/b' }, origin: 'generated' } as const
  await (await sign({ a: generated }, 'a', [])).run()
  // Its result came from the cache, so its record says nothing.
  await (await sign({ a: { type: 'generate', params: { prompt: 'A', model: 'a/b' } } }, 'a', [])).run()
  assert.deepEqual(
    manifests.map(({ actions: [first] }) => [
      first?.action,
      first?.digitalSourceType?.split('/').at(-1),
      first?.softwareAgent,
    ]),
    [
      ['c2pa.created', 'digitalCreation', undefined],
      ['c2pa.created', 'trainedAlgorithmicMedia', { name: 'a/b' }],
      ['c2pa.created', 'trainedAlgorithmicMedia', { name: 'a/b' }],
    ],
  )
})

const photo: Nodes = { photo: { type: 'image', params: { source: 'img_a' } } }

test('a source that was deleted or changed is named without its credentials, with a warning', async () => {
  for (const replaced of [undefined, Buffer.from('other')]) {
    const { sign, manifests, files } = open()
    const source = stored('img_a', Buffer.from('a'), files, 'valid')
    if (replaced) files.set('img_a', replaced)
    else files.delete('img_a')
    const { warnings } = await (await sign(photo, 'photo', [source])).run()
    assert.match(warnings[0] ?? '', /img_a were not copied to the output: the file was deleted or changed/)
    assert.equal(manifests[0]?.ingredients[0]?.bytes, undefined)
  }
})

test('the memory of sources is reserved, released, and bounded', async () => {
  const { sign, manifests, files, reserved } = open()
  const half = Buffer.alloc(limits.credentialsSourceBytesMax / 2 + 1)
  const sources = ['img_a', 'img_b'].map((id, index) => stored(id, Buffer.from(half).fill(index, 0, 1), files, 'valid'))
  const { warnings } = await (await sign(photo, 'photo', sources)).run()
  assert.deepEqual(warnings.length, 1)
  assert.match(warnings[0] ?? '', /img_b were not copied to the output: the sources are too large/)
  assert.equal(manifests[0]?.ingredients.filter(({ bytes }) => bytes).length, 1)
  assert.equal(reserved(), 0)
})

test('a downloaded source with credentials is kept, up to a limit, and its URL is nowhere', async () => {
  const { sign, manifests } = open()
  const [small, large] = [Buffer.from('small'), Buffer.alloc(limits.credentialsDownloadedBytesMax)]
  const sources = [small, large].map(
    (bytes): ImageSource => ({ sha256: hash('sha256', bytes), format: 'webp', credentials: 'valid' }),
  )
  const { run, sawOpened } = await sign(photo, 'photo', sources)
  for (const bytes of [small, large])
    sawOpened('https://example.com/?secret', { bytes, sha256: hash('sha256', bytes), credentials: 'valid' })
  const { warnings } = await run()
  assert.match(warnings[0] ?? '', /a downloaded source/)
  assert.deepEqual(
    manifests[0]?.ingredients.map(({ title, format, bytes }) => [title, format, bytes?.length]),
    [
      ['A downloaded image', 'webp', 5],
      ['A downloaded image', 'webp', undefined],
    ],
  )
})

test('an output that is too large to be signed has a warning, and with "always" it is an error', async () => {
  const fail = failure('limit_exceeded', 'The output is too large.')
  const { sign } = open({ fail })
  const signed = await (await sign(photo, 'photo', [])).run()
  assert.deepEqual(
    [signed.credentials, signed.warnings, signed.bytes.toString()],
    [undefined, ['The output is too large.'], 'file'],
  )
  await assert.rejects((await sign(photo, 'photo', [], { isRequired: true })).run(), Fault)
  const other = open({ fail: failure('provider_unavailable', 'The signer is down.') })
  await assert.rejects((await other.sign(photo, 'photo', [])).run(), /signer is down/)
})

test('damaged credentials of a source are left out with a warning, and those of the others are copied', async () => {
  const { sign, manifests, files } = open()
  const sources = [
    stored('img_a', Buffer.from('damaged'), files, 'invalid'),
    stored('img_b', Buffer.from('b'), files, 'valid'),
  ]
  const { warnings } = await (await sign(photo, 'photo', sources)).run()
  assert.match(warnings.join(), /img_a.png were not copied to the output: they are damaged/)
  assert.deepEqual(
    manifests[0]?.ingredients.map(({ bytes }) => bytes?.toString()),
    [undefined, 'b'],
  )
})

test('a cached result of another image with the same bytes has the parent that the execution opens', async () => {
  const { sign, manifests, files } = open()
  const logo = stored('img_b', Buffer.from('b'), files)
  const before = stored('img_first', Buffer.from('same'), files)
  files.set('img_a', Buffer.from('same'))
  const both: Nodes = {
    ...photo,
    logo: { type: 'image', params: { source: 'img_b' } },
    both: { type: 'composite', inputs: { image: 'photo', overlay: 'logo' } },
  }
  await (await sign(both, 'both', [logo, before])).run()
  const [parent] = manifests[0]?.ingredients ?? []
  assert.deepEqual([parent?.relationship, parent?.title], ['parentOf', 'img_first.png'])
  assert.equal(manifests[0]?.actions[0]?.action, 'c2pa.opened')
})

test('an output of a source with generated pixels says so in an action', async () => {
  const { sign, manifests, files } = open()
  const source = stored('img_a', Buffer.from('a'), files)
  await (await sign(photo, 'photo', [source], { origin: 'generated' })).run()
  const types = manifests[0]?.actions.map(({ action, digitalSourceType: type }) => [action, type?.split('/').at(-1)])
  assert.deepEqual(types, [
    ['c2pa.opened', undefined],
    ['c2pa.edited', 'trainedAlgorithmicMedia'],
  ])
})
