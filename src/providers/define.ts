/** The shape of a provider: one value in one file. Settings, capabilities, prices, docs and calls are derived from it. */
import type { Capability, Micros, ModelRequest, ModelTraits } from '../domain/models/model.ts'
import type { Handle } from '../domain/models/provider-call.ts'
import type { ProviderHttp } from '../net/provider-http.ts'

/** A setting of a provider, read from the environment by the first of its names that is set. */
export interface ProviderSetting {
  /** Environment variables that other tools use, too. A secret can also come from the file named in `<NAME>_FILE`. */
  names: readonly [string, ...string[]]
  summary: string
  isSecret?: boolean
  /** Whether the provider is not configured without it. */
  isRequired?: boolean
  default?: string
  /** Throws an Error that says which values are valid. */
  check?(text: string): void
}

/** Values of the settings that are set or have a default. */
export type SettingsOf<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

/** Price in US dollars, from the provider's price list of `asOf` (a month, `2026-11`). */
export type Price = { asOf: string } & (
  | { per: 'call'; usd: number }
  | { per: 'image'; usd: number }
  /** Price per megapixel of the output image. */
  | { per: 'megapixel'; usd: number }
  /** The `units` that the provider reports. */
  | { per: 'unit'; usd: number; unitsMax: number }
  /** Run time; `secondsMax` bounds the reserved amount. */
  | { per: 'second'; usd: number; secondsMax: number }
  /** Price per million tokens; `inputMax` and `outputMax` bound the reserved amount. */
  | { per: 'tokens'; inputUsd: number; outputUsd: number; inputMax: number; outputMax: number }
)

export interface ModelRow {
  /** The name that the provider uses. A name that ends in `*` is a prefix. */
  name: string
  /** The first row of a provider with a capability is the default for it. */
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined: unknown. */
  price?: Price | { [Name in Capability]?: Price }
  /** Fields for the adapter only, such as names of request fields. */
  [adapterField: `x-${string}`]: unknown
}

export interface Provider {
  /** The part of a model name before the slash. The file has the same name. */
  id: string
  title: string
  /** One sentence about the service and the company that runs it. */
  summary: string
  /** Its documentation. */
  docsUrl: string
  settings: Readonly<Record<string, ProviderSetting>>
  /**
   * The base URL of its API. A URL without a path gets the path of the default, or else `path`. `{name}` in the
   * default is replaced by a setting. Without a default, or without that setting, the URL must be configured.
   */
  baseUrl: { names: readonly [string, ...string[]]; default?: string; path?: string }
  /** Further origins that may receive the key: exact, or `https://*.bfl.ai`. */
  ownOrigins?: readonly string[]
  models: readonly ModelRow[] | ((settings: SettingsOf) => Promise<readonly ModelRow[]>)
  /** Maximum number of concurrent calls of this process. */
  concurrency: number
  /** Why the provider is not configured although every required setting is set; undefined if it is. */
  missingConfig?(settings: SettingsOf): string | undefined
  /**
   * Sends the request, once. Unless a thrown error proves that nothing was carried out, the outcome is unknown
   * (`calls/classify-error.ts`).
   */
  start(call: Call, context: ProviderContext): Promise<Started>
  /**
   * Returns the status of the job, and changes nothing. Throws `ProviderProblem` if the job has failed. If only the request failed,
   * returns `pending` (with `waitMs` if known) or throws `HttpProblem`.
   */
  poll?(handle: Handle, call: Call, context: ProviderContext): Promise<Polled>
  /** Cancels the job. It may be too late. */
  cancel?(handle: Handle, context: ProviderContext): Promise<void>
  /** Looks up a call that may have been sent, by its id; undefined if the provider never received it. */
  find?(call: Call, context: ProviderContext): Promise<Started | undefined>
}

export interface Call {
  /** The id of our record, `call_...`, for providers that accept such an id. */
  id: string
  capability: Capability
  /** The row of the model, with the requested name. */
  model: ModelRow & { name: string }
  /** The request, without images if only the handle is needed. */
  request: ModelRequest
}

export interface ProviderContext {
  settings: SettingsOf
  /** Has a path and no trailing slash. */
  baseUrl: string
  http: ProviderHttp
  signal: AbortSignal
  /** Time until the deadline of the call, for providers that accept a timeout. */
  secondsLeft?(): number
}

export type Started = { done: ProviderResult } | { handle: Handle; requestId?: string; waitMs?: number }
export type Polled = { done: ProviderResult } | { pending: { waitMs?: number; handle?: Handle } }

export interface ProviderResult {
  images?: (Buffer | { url: string })[]
  text?: string
  seed?: number
  requestId?: string
  /** Cost as the provider reports it. */
  costMicros?: Micros
  /** Usage as the provider reports it, to compute the cost. */
  used?: { inputTokens?: number; outputTokens?: number; seconds?: number; units?: number }
}

/** Problems of a call. */
export const problemKinds = [
  'not_configured',
  /** The key is invalid or lacks a permission. */
  'auth',
  /** The prepaid balance or the quota is used up. */
  'quota',
  'rate_limited',
  /** The provider considers the request invalid. */
  'invalid_request',
  'unsupported',
  /** Moderation. */
  'refused',
  /** The provider is unavailable, and nothing was carried out. */
  'down',
  'timeout',
  /** The result is unusable. */
  'bad_output',
  /** The text doesn't match the schema of the request. */
  'mismatch',
  /** The result is empty. */
  'no_output',
  /** The provider deleted the job or its result. */
  'expired',
  'outcome_unknown',
  'cancelled',
  /** Too many recent failures: the provider isn't called for a while. */
  'circuit_open',
  'budget',
] as const
export type ProblemKind = (typeof problemKinds)[number]

/** The error of adapters. The message is for the caller: without secrets, at most 500 characters. */
export class ProviderProblem extends Error {
  readonly kind: ProblemKind
  readonly facts: ProblemFacts

  constructor(kind: ProblemKind, message: string, facts: ProblemFacts = {}, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProviderProblem'
    this.kind = kind
    this.facts = facts
  }
}

export interface ProblemFacts {
  status?: number
  /** The error code of the provider. */
  code?: string
  requestId?: string
  retryAfterMs?: number
  /** Whether the call is billed although it failed. Default: no. */
  billed?: 'no' | 'yes' | 'unknown'
  costMicros?: Micros
}

/** Only for the types: the tests of the registry check the rest. */
export function defineProvider(provider: Provider): Provider {
  return provider
}
