/**
 * Helpers for tests: model calls with a real database and real files, and a scripted provider that counts its requests.
 */

import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import timers from 'node:timers/promises'
import { execution, lost, tenant } from '../../../test/contract/records.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { systemClock } from '../../domain/clock.ts'
import type { AbortReason, CallOwner, ModelCallRecord, ModelInvocation } from '../../domain/models/model.ts'
import type { Budgets, ProviderCallStore } from '../../domain/models/provider-call.ts'
import { inspect } from '../../imaging/raster/read/inspect.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { buildModelTable, type LocalModelRow } from '../catalog/table.ts'
import { type Call, defineProvider, type ModelRow, type Polled, type Provider, type Started } from '../define.ts'
import type { CallDependencies } from './context.ts'
import { createModelClient } from './model-client.ts'

export const site = { node: 'picture', item: -1, ordinal: 0 }

export interface Script {
  /** Runs before the request is sent. */
  prepare?(n: number): Promise<void> | void
  start(call: Call, n: number, signal: AbortSignal): Promise<Started> | Started
  poll?(n: number): Promise<Polled> | Polled
  find?(call: Call, n: number): Promise<Started | undefined> | Started | undefined
  /** false: jobs can't be cancelled. */
  cancel?: (() => Promise<void> | void) | false
}

/** A provider and its requests. Models: `model` for ten cents a call, `wonder` without a price. */
export function scripted(id: string, script: Script, fields: Partial<Provider> = {}) {
  const log = { starts: [] as Call[], polls: 0, cancels: 0, finds: 0 }
  const traits = { can: { generate: {}, write: {} } }
  const models: ModelRow[] = [
    { name: 'model', ...traits, price: { per: 'call', usd: 0.1, asOf: '2026-11' } },
    { name: 'wonder', ...traits },
  ]
  const provider = defineProvider({
    id,
    title: id,
    summary: 'A provider of tests.',
    docsUrl: 'https://example.com',
    settings: { key: { names: [`${id.toUpperCase()}_KEY`], summary: 'Key.', isSecret: true, isRequired: true } },
    baseUrl: { names: [`${id.toUpperCase()}_BASE_URL`], default: 'https://example.com/v1' },
    models,
    concurrency: 4,
    async start(call, { http, signal }) {
      log.starts.push(call)
      await script.prepare?.(log.starts.length)
      // Any request, so that the call counts as sent.
      await http.fetch('https://example.com/v1')
      return script.start(call, log.starts.length, signal)
    },
    ...(script.poll && { poll: async () => script.poll?.(++log.polls) as Polled }),
    ...(script.find && { find: async (call: Call) => script.find?.(call, ++log.finds) }),
    ...(script.cancel !== false && {
      cancel: async () => {
        log.cancels += 1
        if (script.cancel) await script.cancel()
      },
    }),
    ...fields,
  })
  return { provider, log }
}

export const noHttp: ProviderHttp = {
  fetch: async () => new Response(),
  request: () => Promise.reject(new Error('nothing is to be requested')),
  download: () => Promise.reject(new Error('nothing is to be downloaded')),
}

interface Options {
  budgets?: Budgets
  http?: ProviderHttp
  calls?: (calls: ProviderCallStore) => ProviderCallStore
  executions?: (executions: CallDependencies['executions']) => CallDependencies['executions']
  configured?: readonly string[]
  local?: readonly LocalModelRow[]
  /** The providers of test keys. Default: the same. */
  tests?: readonly Provider[]
}

/** An account whose executions run their first attempt. */
export async function openSetup(t: TestContext) {
  const database = await newSqlite(t)
  const { stores } = database
  const blobs = createFsBlobs({ dir: join(database.dir, 'blobs') })
  const { account, workflow } = await tenant(stores)
  const begin = async (resumedFrom?: string) => {
    const created = execution(workflow)
    await stores.executions.create(resumedFrom === undefined ? created : { ...created, resumedFrom })
    return attempt(created.id)
  }
  const attempt = async (id: string, resumeChain: readonly string[] = []): Promise<CallOwner> => {
    const running = await stores.executions.claim(id, systemClock.now(), { attemptsMax: 99, error: lost })
    return {
      accountId: account.id,
      executionId: id,
      workflowId: workflow.id,
      keyId: null,
      attempt: running?.attempt ?? 0,
      resumeChain,
    }
  }

  /** The model calls of one process. */
  async function modelClient(providers: readonly Provider[], options: Options = {}) {
    const { budgets = { executionMicros: null, accountMonthMicros: null }, http = noHttp, local = [] } = options
    const configured = options.configured ?? providers.map(({ id }) => id)
    const configs = Object.fromEntries(
      providers.map(({ id, baseUrl }) => [
        id,
        { settings: configured.includes(id) ? { key: `secret-key-of-${id}` } : {}, baseUrl: baseUrl.default },
      ]),
    )
    const errors: Error[] = []
    const dependencies: CallDependencies = {
      models: await buildModelTable({ providers, configs, defaults: {}, local: () => local }),
      providers: new Map(providers.map((provider) => [provider.id, provider])),
      configs,
      calls: options.calls?.(stores.providerCalls) ?? stores.providerCalls,
      blobs,
      executions: options.executions?.(stores.executions) ?? stores.executions,
      inspect: (file, signal) => inspect(file, { processes: testProcesses, pixelsMax: 1_000_000, signal }),
      http: () => http,
      clock: systemClock,
      budgets: async () => budgets,
      onError: (error) => errors.push(error),
      othersFinishMs: 0,
    }
    const { tests } = options
    const ofTests = tests && {
      ...dependencies,
      models: await buildModelTable({ providers, configs, defaults: {}, local: () => local, isOfTests: true }),
      providers: new Map(tests.map((provider) => [provider.id, provider])),
    }
    const client = createModelClient(dependencies, ofTests ?? dependencies)
    t.after(() => client.close(0))
    return { ...client, errors }
  }

  return { stores, blobs, begin, attempt, modelClient, accountId: account.id }
}

/** Moves the clock for durations and deadlines forward, until the end of the test. */
export function movableClock(t: TestContext): (ms: number) => void {
  const now = performance.now.bind(performance)
  let aheadMs = 0
  t.mock.method(performance, 'now', () => now() + aheadMs)
  return (ms) => {
    aheadMs += ms
  }
}

/** Pauses between tries move the clock, and take no time. Returns their lengths in milliseconds. */
export function withoutPauses(t: TestContext): number[] {
  const pass = movableClock(t)
  const pausesMs: number[] = []
  const pause = timers.setTimeout
  const mocked = t.mock.method(timers, 'setTimeout', (ms: number, value: unknown, options: object) => {
    pausesMs.push(ms)
    pass(ms)
    return pause(0, value, options)
  })
  syncBuiltinESMExports()
  t.after(() => {
    mocked.mock.restore()
    syncBuiltinESMExports()
  })
  return pausesMs
}

export type Setup = Awaited<ReturnType<typeof openSetup>>

export function write(fields: Partial<ModelInvocation> = {}): ModelInvocation {
  return {
    capability: 'write',
    requirements: [],
    onUnknownOutcome: 'fail',
    request: async () => ({ prompt: 'a red square', images: [] }),
    ...fields,
  }
}

/** The run of a step; `records`: its last list of model calls. */
export function running(reason: AbortReason = 'handed_over', seconds = 60) {
  const controller = new AbortController()
  const recorded = { records: [] as readonly ModelCallRecord[] }
  return {
    get records() {
      return recorded.records
    },
    controller,
    run: {
      signal: controller.signal,
      abortReason: () => reason,
      secondsLeft: () => seconds,
      onCalls(records: readonly ModelCallRecord[]) {
        recorded.records = records
      },
    },
  }
}

export const text = (words: string): Started => ({ done: { text: words } })
