/** What AI models are asked, what each of them can do, and what they answer. */
import type { Issue } from '../errors.ts'
import type { AttemptActivity } from './attempt-activity.ts'

/** What a model can be asked for; each is also the operation that asks for it. */
export const capabilities = [
  'generate',
  'edit',
  'inpaint',
  'remove-background',
  'upscale',
  'describe',
  'write',
  'judge',
] as const
export type Capability = (typeof capabilities)[number]

/** What one model can do of one capability. What is not named here, it cannot. */
export interface ModelTraits {
  /** Sizes of the picture that it can be told; none: it decides. */
  sizes?: ModelSizes
  /** As `16:9`, in the model's own words. */
  aspectRatios?: readonly string[]
  seed?: boolean
  /** Whether the ground of what it makes may be transparent. */
  transparency?: boolean
  /** Images that it takes, the mask not counted. Default: 1, and 0 to generate and write. */
  imagesMax?: number
  /** How many times as wide and high it makes a picture. */
  scales?: readonly number[]
  /** Whether it takes words that say what to do. Default: true, but for `remove-background` and `upscale`. */
  prompt?: boolean
}

export type ModelSizes =
  | { listed: readonly string[] }
  /** Sides are multiples of `step`. */
  | { free: { sideMin: number; sideMax: number; step?: number; pixelsMax?: number } }

/**
 * What a node wants of a model beyond what every model of its capability does. `value` is undefined where it is not known
 * yet. `path`: the param that says it.
 */
export type Want = { path: string } & (
  | { kind: 'size'; value: { width: number; height: number } | undefined }
  | { kind: 'aspectRatio'; value: string | undefined }
  | { kind: 'seed' }
  | { kind: 'transparency' }
  | { kind: 'images'; value: number }
  | { kind: 'scale'; value: number | undefined }
  | { kind: 'prompt' }
)

export interface Asked {
  capability: Capability
  /** `provider/model`; a bare name is that of a local model. Undefined: the default of the capability. */
  model?: string | undefined
  /** Tried in this order when the one before cannot answer. */
  fallback?: readonly string[] | undefined
  wants: readonly Want[]
}

/** Micro-dollars: millionths of a US dollar, whole. */
export type Micros = number

export interface CostRange {
  minMicros: Micros
  maxMicros: Micros
}

/** What the service knows of models. Implemented by providers. */
export interface Models {
  /**
   * `provider/model` in the order in which they are tried, whether configured or not; empty where none was named and
   * there is no default. `issues`: what they cannot do, by the path of the param that wants it, or `model`, `fallback.1`.
   */
  choose(asked: Asked): { chain: string[]; issues: Issue[] }
  /** Those of a chain that can be asked now; all of it where none can. */
  ready(chain: readonly string[]): ReadyModel[]
  /** What one answer may cost: from the cheapest of the chain to the dearest. Undefined where a price is not known. */
  costOf(chain: readonly string[], asked: Asked): CostRange | undefined
}

export interface ReadyModel {
  /** `provider/model` */
  model: string
  /** A hash of what its row says of how it is asked, so that another graph under the same name is another model. */
  recipe?: string
}

/** A provider as whoever looks for a model sees it. Never a secret, and no address. */
export interface ProviderFacts {
  id: string
  title: string
  summary: string
  docsUrl: string | undefined
  isConfigured: boolean
  /** Why it is not, naming what is to be set. */
  lacks: string | undefined
  models: ModelFacts[]
}

export interface ModelFacts {
  /** Without the provider; one that ends in `*` stands for all that begin so. */
  name: string
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined: not known. */
  price: Partial<Record<Capability, PriceFacts>> | undefined
  /** Capabilities for which it is asked when a node names none. */
  defaultFor: Capability[]
  /** Why it cannot be asked although its provider is configured: a local one that is not installed. */
  lacks?: string
}

/** In US dollars; `per` says of what. */
export type PriceFacts = { asOf: string; per: string; usd?: number }

export interface RequestImage {
  bytes: Buffer
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

/** In the form that the provider wants: PNG, of the size of the image. */
export interface RequestMask {
  /** Grey: white where the image is to be made anew, black where it stays. */
  white(): Promise<Buffer>
  /** Grey: black where the image is to be made anew. */
  black(): Promise<Buffer>
  /** RGBA: transparent where the image is to be made anew, opaque elsewhere. */
  transparent(): Promise<Buffer>
}

/** What a model is to do. Everything in it was found to be what the model can do. */
export interface ModelRequest {
  capability: Capability
  prompt?: string
  /** For `write`: how to answer. */
  instructions?: string
  size?: { width: number; height: number }
  aspectRatio?: string
  seed?: number
  transparency?: boolean
  images: readonly RequestImage[]
  mask?: RequestMask
  scale?: number
  /** For `write` and `describe`: most characters of the answer. */
  charsMax?: number
}

export type CostSource =
  /** The provider said so. */
  | 'reported'
  /** By what it said it used, or what it gave, and the price table. */
  | 'computed'
  /** What was set aside for it: whether it was billed cannot be known. */
  | 'assumed'

/** One call of one model, as a step tells of it. */
export interface ModelCallRecord {
  /** `provider/model` */
  model: string
  /** `done`, or what went wrong: a `ProblemKind`. */
  outcome: string
  /** US dollars; null where nobody knows. 0 for what was not billed. */
  costUsd: number | null
  costSource: CostSource | null
  /** The provider's own id of the request or the job, for its support. */
  requestId?: string
}

export interface Ask extends Pick<Asked, 'capability' | 'model' | 'fallback' | 'wants'> {
  /** Made once it is known that a model will be asked. */
  request(): Promise<Omit<ModelRequest, 'capability'>>
  /** What to do when it cannot be known whether a call was carried out, and billed. */
  onUnknownOutcome: 'fail' | 'retry'
  /** Does it here, by a local model; undefined where no local model has the capability. */
  local?(model: string): Promise<void>
  /**
   * Looks at an answer; rejects with an Error that says what is wrong with it, or with a Fault where the execution was
   * aborted meanwhile. Pictures have been decoded before.
   */
  accept?(answer: ModelAnswer): Promise<void>
}

export interface ModelAnswer {
  /** Which one it was. */
  model: string
  /** Bytes of an image file, decoded once; none from a local model. */
  images: Buffer[]
  text?: string
  seed?: number
}

/** Which ask it is, of all that an execution makes: the same in every attempt. */
export interface AskPlace {
  node: string
  /** Of a list; -1 where the step runs once. */
  item: number
  /** Of the asks of one run of the operation, from 0. */
  ordinal: number
}

/** Who asks. Implemented by providers; handed to the engine for one execution at a time. */
export interface Asker {
  /**
   * The answer to an ask: that of an earlier attempt, of a job that goes on, or a new one. Throws failures of the closed
   * list, and the reason of the signal.
   */
  ask(asking: Asking, place: AskPlace, ask: Ask, run: AskRun): Promise<ModelAnswer>
}

/** Whose ask it is. */
export interface Asking {
  accountId: string
  executionId: string
  workflowId: string
  keyId: string | null
  /** Of the execution: what a former one writes is refused. */
  attempt: number
  /** The executions that it resumes, the nearest first. */
  resumes: readonly string[]
}

/**
 * Why an ask is aborted. given_up: its answer is not wanted any more. handed_on: the next attempt goes on with it. lost:
 * this attempt has no right any more; whether the execution goes on elsewhere is in its record.
 */
export type AskEnding = 'given_up' | 'handed_on' | 'lost'

export interface AskRun {
  signal: AbortSignal
  /** As in `AttemptActivity`: goes around whatever waits for the provider. */
  waiting?: AttemptActivity['waiting']
  /** What to do with a call that is under way once the signal has aborted. */
  ending(): AskEnding
  /** Until the deadline of the execution. */
  secondsLeft(): number
  /** Told whenever it changes: all calls that were made at this place. */
  note(calls: readonly ModelCallRecord[]): void
}
