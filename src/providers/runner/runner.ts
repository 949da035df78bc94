/** What all parts of the runner share: what it was handed, gates, and the calls that are under way in this process. */
import type { AskRun, ModelRequest } from '../../domain/model.ts'
import type { CallEnd, ProviderCall } from '../../domain/provider-call.ts'
import type { Call, ModelRow, Provider, ProviderContext } from '../define.ts'
import { createGate, type Gate } from '../gates.ts'
import { pricesOf } from '../prices.ts'
import type { TableModel } from '../registry/table.ts'
import { lackOf, secretsOf } from '../settings.ts'
import { redact } from '../shared/redact.ts'
import { type Phase, readTrouble, type Trouble } from '../trouble.ts'
import type { AskerDependencies } from './dependencies.ts'
import type { Job } from './job.ts'
import { modelOf } from './records.ts'
import { persist } from './waiting.ts'

export interface Runner extends AskerDependencies {
  gateOf(provider: Provider): Gate
  /** By the id of the call. */
  jobs: Map<string, Job>
  /** All of them, also before they have an id. */
  underWay: Set<Job>
  close(): void
}

export function createRunner(dependencies: AskerDependencies): Runner {
  const gates = new Map<string, Gate>()
  return {
    ...dependencies,
    jobs: new Map(),
    underWay: new Set(),
    gateOf({ id, concurrency }) {
      const gate = gates.get(id) ?? createGate(concurrency)
      gates.set(id, gate)
      return gate
    },
    close() {
      for (const gate of gates.values()) gate.close()
    },
  }
}

/** One call, with all that its provider is handed. */
export interface Asked {
  provider: Provider
  model: TableModel
  request: ModelRequest
  waiting?: AskRun['waiting']
}

/** Waits for a provider, or for one's turn to call it. */
export function waitFor<Value>({ waiting }: Pick<Asked, 'waiting'>, wait: () => Promise<Value>): Promise<Value> {
  return waiting === undefined ? wait() : waiting(wait)
}

export function contextOf(
  { settings, http }: Runner,
  { id }: Provider,
  signal: AbortSignal,
  secondsLeft?: () => number,
): ProviderContext {
  const own = settings[id]
  return {
    settings: own?.settings ?? {},
    baseUrl: own?.baseUrl ?? '',
    http: http(id),
    signal,
    ...(secondsLeft && { secondsLeft }),
  }
}

/** Why a provider cannot be asked; undefined where it can. */
export function lackIn({ settings }: Runner, provider: Provider): string | undefined {
  return lackOf(provider, settings[provider.id] ?? { settings: {}, baseUrl: undefined })?.text
}

export function callFor({ id, capability }: ProviderCall, { model, request }: Pick<Asked, 'model' | 'request'>): Call {
  return { id, capability, model: model.row, request }
}

/** The row under which a recorded call was made, or all that is still known of it. */
export function rowFor({ models }: Runner, call: ProviderCall): ModelRow & { name: string } {
  return models.find(modelOf(call))?.row ?? { name: call.model, can: {} }
}

export function isPriced({ row }: Pick<TableModel, 'row'>, { capability }: ProviderCall): boolean {
  return pricesOf(row)?.[capability] !== undefined
}

export function secretsFor({ settings }: Runner, provider: Provider): string[] {
  return secretsOf([provider], settings)
}

export function troubleOf(runner: Runner, provider: Provider, error: unknown, phase: Phase): Trouble {
  const trouble = readTrouble(error, { phase, secrets: secretsFor(runner, provider), nowMs: runner.clock.now() })
  if (trouble.isOurs) tell(runner, provider, `its adapter failed (${phase})`, error)
  return trouble
}

/** Never the error itself: those of libraries hold the whole request. */
export function tell(runner: Runner, provider: Provider, what: string, error: unknown): void {
  const { name = '', message = String(error), stack = '' } = error instanceof Error ? error : {}
  const at = /^\s+at .*$/m.exec(stack)?.[0].trim() ?? ''
  const text = redact(`${name}: ${message} ${at}`, secretsFor(runner, provider))
  runner.onError(new Error(`${provider.id}: ${what}: ${text}`))
}

/** Ends it, whatever it takes. Where somebody else has ended it, gives what they made of it. */
export async function endCall(
  { calls, clock }: Runner,
  call: ProviderCall,
  end: CallEnd,
): Promise<{ call: ProviderCall; isOurs: boolean }> {
  const now = clock.now()
  if (await persist(() => calls.end(call.id, end, now))) {
    const { answer = null, problem = null, ...rest } = end
    return { call: { ...call, ...rest, answer, problem, requestId: end.requestId ?? call.requestId }, isOurs: true }
  }
  return { call: await callNow({ calls }, call), isOurs: false }
}

/** As its row stands. */
export async function callNow({ calls }: Pick<Runner, 'calls'>, call: ProviderCall): Promise<ProviderCall> {
  const all = await persist(() => calls.at([call.executionId], call))
  // Swept up: it ended long ago.
  return all.find(({ id }) => id === call.id) ?? { ...call, state: 'cancelled' }
}
