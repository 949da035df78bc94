/** A service with fake AI providers, and assertions on its calls and costs. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Fake } from '../../fakes/src/fake.ts'
import { startFake } from '../../fakes/src/index.ts'
import { type Client, createClient, ok } from './client.ts'
import { runCommand } from './commands.ts'
import { createdKeys } from './created-keys.ts'
import type { Document } from './documents.ts'
import { type Service, startWithoutExamples } from './service.ts'
import type { Execution } from './types.ts'

export interface AiService {
  service: Service
  openai: Fake
  fal: Fake
  /** A separate account. */
  tenant(options?: { budget?: string }): Promise<AiTenant>
  /** Closes the fake, also after a test has restarted the service. */
  close(): Promise<void>
}

export interface AiTenant {
  accountId: string
  keyId: string
  api: Client
}

export interface Cost {
  usd: number
  unknown?: number
}

export type AiExecution = Execution & { cost?: Cost }

export interface Call {
  model: string
  outcome: string
  costUsd: number | null
  costSource: string | null
  requestId?: string
}

interface Sums {
  calls: number
  failures: number
  costUsd: number
  unknownCosts: number
}

export interface UsageBody {
  from: string
  to: string
  totals: Sums
  months: (Sums & { month: string })[]
  days: (Sums & { day: string })[]
  workflows: (Sums & { workflowId: string })[]
  keys: (Sums & { keyId: string | null })[]
  models: (Sums & { model: string })[]
  budget: { month: string; monthUsd: number | null; spentUsd: number; reservedUsd: number }
  activity?: { totals: ActivityBody; days: (ActivityBody & { day: string })[] }
}

export interface ActivityBody {
  requests: number
  refused: number
  executions: number
  completed: number
  failed: number
  failures: { reason: string; count: number }[]
  duration: { median: number; p95: number } | null
}

/** No real key has this form, so a leaked key is easy to find. */
export const fakeKey = 'sk-fake-0123456789abcdef-never-told'

/** A separate fake for each area, so that scripts and counts of one don't affect another. */
export async function startAiService(settings: Record<string, string> = {}): Promise<AiService> {
  const openai = await startFake('openai', { key: fakeKey })
  const fal = await startFake('fal', { key: fakeKey, latencyMs: 20 })
  const service = await startWithoutExamples({
    OPENAI_BASE_URL: openai.url,
    OPENAI_API_KEY: fakeKey,
    FAL_BASE_URL: fal.url,
    FAL_KEY: fakeKey,
    EXECUTION_BUDGET_USD: '0.80',
    EXECUTIONS_RUNNING_MAX: '4',
    ...settings,
  }).catch(async (error: unknown) => {
    // Open servers would keep the process of the tests from its end.
    await Promise.all([openai.close(), fal.close()])
    throw error
  })
  const ai: AiService = {
    service,
    openai,
    fal,
    async tenant({ budget } = {}) {
      const created = ['accounts', 'create', '--name', 'A test', '--plan', 'enterprise', '--rate-limit', '1000000']
      const { id } = await runCommand<{ id: string }>(service, ...created)
      if (budget !== undefined) await runCommand(service, 'accounts', 'budget', id, budget)
      const made = await runCommand<{ id: string; key: string }>(service, 'keys', 'create', '--account', id)
      createdKeys.push(made.key)
      return { accountId: id, keyId: made.id, api: await createClient(service, made.key) }
    },
    async close() {
      await Promise.all([ai.service.remove(), openai.close(), fal.close()])
    },
  }
  return ai
}

/** A separate service for an area, with an account and unused fakes for each test. Closed after the area. */
export function useAiService(): { readonly ai: AiService; readonly api: Client } {
  const current: { ai?: AiService; api?: Client | undefined } = {}
  before(async () => {
    current.ai = await startAiService()
  })
  beforeEach(async () => {
    current.api = (await current.ai?.tenant())?.api
    current.ai?.openai.reset()
    current.ai?.fal.reset()
  })
  after(() => current.ai?.close())
  return {
    get ai() {
      return current.ai ?? assert.fail('The service has not started.')
    },
    get api() {
      return current.api ?? assert.fail('The service has not started.')
    },
  }
}

/** A small image that a model creates. */
export function drawn(params: Record<string, unknown> = {}): Document {
  return {
    name: 'Drawn',
    parameters: [{ name: 'prompt', type: 'string', default: 'A red door' }],
    nodes: {
      scene: { type: 'generate', params: { prompt: '{{ prompt }}', model: 'openai/gpt-image-1-mini', ...params } },
      small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 64 } },
    },
    output: { node: 'small', format: 'png' },
  }
}

export async function callsOf(api: Client, executionId: string): Promise<Record<string, Call[]>> {
  const { steps } = ok(
    await api.get<{ steps: { node: string; calls?: Call[] }[] }>(`/workflows/executions/${executionId}/steps`),
  )
  return Object.fromEntries(steps.flatMap(({ node, calls }) => (calls ? [[node, calls]] : [])))
}

export async function usageOf(api: Client, query: Record<string, string> = {}): Promise<UsageBody> {
  return ok(await api.get<UsageBody>('/usage', query))
}

/** Costs in millionths of a dollar, so that sums are compared as whole numbers. */
export function micros(usd: number | null | undefined): number {
  return Math.round((usd ?? Number.NaN) * 1_000_000)
}
