/** The shape of a provider: one value in one file, from which settings, capabilities, prices, docs and calls are derived. */
import type { Capability, Micros, ModelRequest, ModelTraits } from '../domain/model.ts'
import type { Handle } from '../domain/provider-call.ts'
import type { ProviderHttp } from '../net/provider-http.ts'

/** A setting of a provider, read from the environment by the first of its names that is set. */
export interface ProviderSetting {
  /** The names that the ecosystem uses; each also as `<NAME>_FILE`, a file that holds it, where it is a secret. */
  names: readonly [string, ...string[]]
  summary: string
  isSecret?: boolean
  /** Whether the provider is configured only when it is set. */
  isRequired?: boolean
  default?: string
  /** Throws an Error that says what would be right. */
  check?(text: string): void
}

/** Values of its settings that are set or have a default. */
export type SettingsOf<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

/** What it costs, in US dollars, as the provider's price list of `asOf` (a month, `2026-11`) says. */
export type Price = { asOf: string } & (
  | { per: 'call'; usd: number }
  | { per: 'image'; usd: number }
  /** Of the picture that is made. */
  | { per: 'megapixel'; usd: number }
  /** What the provider reports as `units`. */
  | { per: 'unit'; usd: number; unitsMax: number }
  /** Of running; `secondsMax` bounds what is set aside. */
  | { per: 'second'; usd: number; secondsMax: number }
  /** Of a million tokens; the most of each bound what is set aside. */
  | { per: 'tokens'; inputUsd: number; outputUsd: number; inputMax: number; outputMax: number }
)

export interface ModelRow {
  /** The provider's own name; one that ends in `*` stands for all that begin so. */
  name: string
  /** The first row of a provider that has a capability is its default for it. */
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined: not known. */
  price?: Price | { [Name in Capability]?: Price }
  /** What only the provider itself reads: fields of its requests, say. */
  [own: `x-${string}`]: unknown
}

export interface Provider {
  /** What stands before the slash of a model; also the file's name. */
  id: string
  title: string
  /** One sentence: what it is, and who runs it. */
  summary: string
  /** Where its documents are. */
  docsUrl: string
  settings: Readonly<Record<string, ProviderSetting>>
  /**
   * Where its API is. A base URL without a path gets the path of the default. In the default `{name}` stands for a setting;
   * where that is not set, there is none. Without a default it is configured only when it is given, and `path` is what one
   * without a path gets.
   */
  baseUrl: { names: readonly [string, ...string[]]; default?: string; path?: string }
  /** Origins besides that of the base URL to which its key may be sent: exact, or `https://*.bfl.ai`. */
  ownOrigins?: readonly string[]
  models: readonly ModelRow[] | ((settings: SettingsOf) => Promise<readonly ModelRow[]>)
  /** Most calls at once, by this process. */
  concurrency: number
  /** Why it is not configured although every required setting is there; undefined where it is. */
  lacks?(settings: SettingsOf): string | undefined
  /**
   * Sends the request, once. A thrown error is read by `classify-error.ts`: whatever does not prove that nothing was carried out
   * leaves the outcome unknown.
   */
  start(call: Call, context: ProviderContext): Promise<Started>
  /**
   * How the job stands. Never changes anything. A `ProviderProblem` is the end of the job; where only the asking failed it
   * is `pending` (perhaps with `waitMs`), or an `HttpProblem`.
   */
  poll?(handle: Handle, call: Call, context: ProviderContext): Promise<Polled>
  /** Gives the job up. Whether that comes in time is not promised. */
  cancel?(handle: Handle, context: ProviderContext): Promise<void>
  /** What became of a call that was perhaps sent, by its id; undefined where the provider has never had it. */
  find?(call: Call, context: ProviderContext): Promise<Started | undefined>
}

export interface Call {
  /** Ours, `call_...`; handed to providers that take such an id. */
  id: string
  capability: Capability
  /** Its row, under the name that was asked for. */
  model: ModelRow & { name: string }
  /** Undefined where only the handle is needed. */
  request: ModelRequest
}

export interface ProviderContext {
  settings: SettingsOf
  /** With a path, without a slash at the end. */
  baseUrl: string
  http: ProviderHttp
  signal: AbortSignal
  /** Until the deadline of the call, for providers that take one. Undefined where there is none. */
  secondsLeft?(): number
}

export type Started = { done: ProviderAnswer } | { handle: Handle; requestId?: string; waitMs?: number }
export type Polled = { done: ProviderAnswer } | { pending: { waitMs?: number; handle?: Handle } }

export interface ProviderAnswer {
  images?: (Buffer | { url: string })[]
  text?: string
  seed?: number
  requestId?: string
  /** What the provider says that it costs. */
  costMicros?: Micros
  /** What the provider says that it used, to reckon the price by. */
  used?: { inputTokens?: number; outputTokens?: number; seconds?: number; units?: number }
}

/** What can go wrong with a call. */
export const problemKinds = [
  'not_configured',
  /** The key is wrong, or may not do this. */
  'auth',
  /** Paid-up balance or quota is used up. */
  'quota',
  'rate_limited',
  /** The provider calls the request wrong. */
  'invalid_request',
  'unsupported',
  /** Moderation. */
  'refused',
  /** It does not answer as it should, and nothing was carried out. */
  'down',
  'timeout',
  /** It answered, and what it gave cannot be used. */
  'bad_output',
  /** It answered, and gave nothing. */
  'no_output',
  /** The job or its result is gone. */
  'expired',
  'outcome_unknown',
  'cancelled',
  /** Too many failures lately: it is not asked for a while. */
  'circuit_open',
  'budget',
] as const
export type ProblemKind = (typeof problemKinds)[number]

/** What adapters throw. The message is for the caller: without secrets, of at most 500 characters. */
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
  /** The provider's own word. */
  code?: string
  requestId?: string
  retryAfterMs?: number
  /** Whether it is billed all the same. Undefined: no. */
  billed?: 'no' | 'yes' | 'unknown'
  costMicros?: Micros
}

/** Checks nothing at run time: the types do, and the tests of the registry. */
export function defineProvider(provider: Provider): Provider {
  return provider
}
