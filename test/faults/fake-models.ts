/** Executions with model calls of fakes, each with a unique number in all its requests. */

import type { Fake, Logged } from '../../fakes/src/fake.ts'
import { fakeKinds, startFake } from '../../fakes/src/index.ts'
import type { ModelTraits } from '../../src/domain/models/model.ts'
import type { Provider } from '../../src/providers/define.ts'
import { providersById } from '../../src/providers/index.ts'
import { type Subject, subjectsOf } from '../contract/providers-ask.ts'
import { isQueued } from '../contract/providers-faults.ts'
import type { Document } from '../harness/documents.ts'

/** One kind of calls: a synchronous provider, or one with jobs. */
export interface FakeModel {
  name: string
  subject: Subject
  fake: Fake
  isQueued: boolean
  /** Whether the provider can look up a call by our id. */
  canBeLookedUp: boolean
}

/**
 * Starts for every provider of the registry a model with images, and if some are synchronous and some have jobs, one of
 * each.
 */
export async function startFakeModels(
  ids = [...providersById.keys()],
  { keyOf }: { keyOf?(id: string): string } = {},
): Promise<FakeModel[]> {
  const models = await Promise.all(ids.map(async (id) => fakeModelsOf(providersById.get(id) as Provider, keyOf?.(id))))
  return models.flat()
}

async function fakeModelsOf(provider: Provider, key: string | undefined): Promise<FakeModel[]> {
  const subjects = (await subjectsOf(provider)).filter(({ capability }) => imageCapabilities.includes(capability))
  const first = subjects.find(({ capability }) => capability === 'generate') ?? subjects[0]
  if (first === undefined) throw new Error(`${provider.id} has no model that makes a picture of none or one`)
  const other = provider.poll && subjects.find((each) => isQueued(each) !== isQueued(first))
  // A job waits until its first poll, and runs until its second.
  const fake = await startFake(provider.id, { pollsMin: 2, ...(key !== undefined && { key }) })
  return [first, ...(other ? [other] : [])].map((subject) => ({
    name: `${provider.id}/${subject.row.name}`,
    subject,
    fake,
    isQueued: isQueued(subject),
    canBeLookedUp: provider.find !== undefined,
  }))
}

const imageCapabilities = ['generate', 'remove-background', 'upscale', 'edit']

/** Settings of a service that uses the fakes. */
export function environmentOf(models: readonly FakeModel[]): Record<string, string> {
  const settings = models.map(({ fake }) => fakeKinds.find(({ id }) => id === fake.id)?.env(fake.url, fake.key))
  return Object.assign({}, ...settings)
}

/** A small image of the model. */
export function documentOf({ name, subject }: FakeModel, number: number, node: string, params: object = {}): Document {
  const { capability, row } = subject
  const traits = row.can[capability] ?? {}
  const isGenerated = capability === 'generate'
  const takesPrompt = capability === 'generate' || capability === 'edit'
  const allParams = { model: name, ...(takesPrompt && { prompt: promptOf(number) }), ...sizeOf(traits), ...params }
  const ground = { type: 'canvas', params: { width: widthOf(number), height: 96, color: '#4080c0' } }
  return {
    name: `${name} ${number}`,
    nodes: {
      ...(!isGenerated && { ground }),
      [node]: { type: capability, ...(!isGenerated && { inputs: { image: 'ground' } }), params: allParams },
      small: { type: 'resize', inputs: { image: node }, params: { width: 16 } },
    },
    output: { node: 'small', format: 'png' },
  }
}

export const promptOf = (number: number | string) => `Lighthouse ${number}.`
const widthOf = (number: number) => 200 + number

function sizeOf({ sizes }: ModelTraits): { width?: number; height?: number } {
  if (sizes === undefined || !('free' in sizes)) return {}
  const side = Math.max(sizes.free.sideMin, 320)
  return { width: side, height: side }
}

/** Requests with this number. */
export function requestsOf({ log }: Fake, number: number | string): Logged[] {
  return log.filter(
    ({ fields, images }) =>
      JSON.stringify(fields ?? '').includes(promptOf(number)) ||
      (typeof number === 'number' && images.some(({ width }) => width === widthOf(number))),
  )
}

/** The number of jobs that the fake bills for this number. */
export function countBilledJobs(fake: Fake, number: number | string): number {
  const orders = new Set(requestsOf(fake, number).map(({ order }) => order))
  return fake.billed().filter(({ order }) => orders.has(order)).length
}
