/** A provider as one model call uses it: its adapter, with the settings, the HTTP client and the request of the call. */
import { orAbort } from '../../domain/abortable.ts'
import type { ModelRequest } from '../../domain/models/model.ts'
import type { Handle, ProviderCall } from '../../domain/models/provider-call.ts'
import { limits } from '../../limits.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'
import { redact } from '../adapters/shared/redact.ts'
import type { TableModel } from '../catalog/table.ts'
import type { Call, Polled, Provider, ProviderContext, Started } from '../define.ts'
import { secretsOf } from '../settings.ts'
import { type ClassifiedError, classifyError, type Phase } from './classify-error.ts'
import type { CallDependencies } from './context.ts'

export interface CallTarget {
  provider: Provider
  model: TableModel
  request: ModelRequest
}

export interface SendOptions {
  signal: AbortSignal
  secondsLeft?: () => number
  /** Default: the client of the provider. */
  http?: ProviderHttp
}

export class ProviderClient {
  readonly provider: Provider
  readonly secrets: readonly string[]
  readonly #dependencies: CallDependencies
  readonly #target: CallTarget

  constructor(dependencies: CallDependencies, target: CallTarget) {
    this.provider = target.provider
    this.secrets = secretsOf([target.provider], dependencies.configs)
    this.#dependencies = dependencies
    this.#target = target
  }

  /** Throws if the provider has no base URL. */
  get http(): ProviderHttp {
    return this.#dependencies.http(this.provider.id)
  }

  start(row: ProviderCall, options: SendOptions): Promise<Started> {
    return this.provider.start(this.#call(row), this.#context(options))
  }

  /** Only if the provider has `poll`. */
  async poll(row: ProviderCall, options: SendOptions): Promise<Polled | undefined> {
    return this.provider.poll?.(row.handle ?? {}, this.#call(row), this.#context(options))
  }

  async find(row: ProviderCall, options: SendOptions): Promise<Started | undefined> {
    return this.provider.find?.(this.#call(row), this.#context(options))
  }

  /** Cancels the job, if the provider can. Bounded in time. Nothing depends on it, so its errors only go to the log. */
  async cancel(row: ProviderCall): Promise<void> {
    const { provider } = this
    if (!provider.cancel) return
    const signal = AbortSignal.timeout(limits.providerCancelSeconds * 1000)
    const cancel = async () => {
      const handle = row.handle ?? (await this.#findHandle(row, signal))
      if (handle) await provider.cancel?.(handle, this.#context({ signal }))
    }
    try {
      await orAbort(cancel(), signal)
    } catch (error) {
      this.#log(`the call ${row.id} could not be cancelled`, error)
    }
  }

  classify(error: unknown, phase: Phase): ClassifiedError {
    const nowMs = this.#dependencies.clock.now()
    const problem = classifyError(error, { phase, secrets: this.secrets, nowMs })
    if (problem.isOurs) this.#log(`the adapter failed (${phase})`, error)
    return problem
  }

  async #findHandle(row: ProviderCall, signal: AbortSignal): Promise<Handle | undefined> {
    const found = await this.find(row, { signal })
    return found && 'handle' in found ? found.handle : undefined
  }

  #call({ id, capability }: ProviderCall): Call {
    return { id, capability, model: this.#target.model.row, request: this.#target.request }
  }

  #context({ signal, secondsLeft, http = this.http }: SendOptions): ProviderContext {
    const config = this.#dependencies.configs[this.provider.id]
    return {
      settings: config?.settings ?? {},
      baseUrl: config?.baseUrl ?? '',
      http,
      signal,
      ...(secondsLeft && { secondsLeft }),
    }
  }

  /** Logs a summary, because error objects of client libraries contain the entire request. */
  #log(task: string, error: unknown): void {
    const { name = '', message = String(error), stack = '' } = error instanceof Error ? error : {}
    const at = /^\s+at .*$/m.exec(stack)?.[0].trim() ?? ''
    const text = redact(`${name}: ${message} ${at}`, this.secrets)
    this.#dependencies.onError(new Error(`${this.provider.id}: ${task}: ${text}`))
  }
}
