/** AI models: their traits, the requirements of nodes, requests, responses and call records. */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import type { Issue } from '../../errors.ts'
import type { AttemptActivity } from '../executions/attempt-activity.ts'

/** The tasks of models. Each is also the id of the operation that calls a model for it. */
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

/** The features of one model for one capability. A feature that is left out is not supported. */
export interface ModelTraits {
  /** The sizes that a request may ask for. Undefined: the model decides. */
  sizes?: ModelSizes
  /** Ratios as the model writes them, for example `16:9`. */
  aspectRatios?: readonly string[]
  seed?: boolean
  /** Whether the background of the result may be transparent. */
  transparency?: boolean
  /** The most input images, without the mask. Default: 1, and 0 for `generate` and `write`. */
  imagesMax?: number
  /** The factors by which it can enlarge an image. */
  scales?: readonly number[]
  /** Whether it accepts a prompt. Default: true, except for `remove-background` and `upscale`. */
  prompt?: boolean
  /** Whether the provider makes it respond in JSON of a schema. For other models, the schema is part of the prompt. */
  structuredOutput?: boolean
}

export type ModelSizes =
  | { listed: readonly string[] }
  /** Sides are multiples of `step`. */
  | { free: { sideMin: number; sideMax: number; step?: number; pixelsMax?: number } }

/**
 * A feature that a node needs beyond those that every model of the capability has. `path`: the param that requires it.
 * `value` is undefined while it is not known, for example before a template is rendered.
 */
export type Requirement = { path: string } & (
  | { kind: 'size'; value: { width: number; height: number } | undefined }
  | { kind: 'aspectRatio'; value: string | undefined }
  | { kind: 'seed' }
  | { kind: 'transparency' }
  | { kind: 'images'; value: number }
  | { kind: 'scale'; value: number | undefined }
  | { kind: 'prompt' }
)

/** A node's choice of models, and its requirements on them. */
export interface ModelRequirements {
  capability: Capability
  /** `provider/model`, or only the name of a local model. Undefined: the default of the capability. */
  model?: string | undefined
  /** Tried in this order when the models before it fail. */
  fallback?: readonly string[] | undefined
  requirements: readonly Requirement[]
  /** Whether its response has to match a schema. A response that doesn't is requested a second time. */
  isStructured?: boolean
}

/** Micro-dollars: millionths of a US dollar, whole. */
export type Micros = number

export interface CostRange {
  minMicros: Micros
  maxMicros: Micros
}

/** The models of the service. Implemented by `providers/catalog`. */
export interface Models {
  /**
   * `chain`: `provider/model` in the order in which they are tried, whether configured or not; empty if none is named and there
   * is no default. `issues`: the requirements that they don't meet, by the path of the param, or of `model` or `fallback.1`.
   */
  choose(required: ModelRequirements): { chain: string[]; issues: Issue[] }
  /** The models of a chain that can be called now; the entire chain if none can. */
  ready(chain: readonly string[]): ReadyModel[]
  /** The cost of one response, from the cheapest model of the chain to the most expensive. Undefined if a price is not known. */
  costOf(chain: readonly string[], required: ModelRequirements): CostRange | undefined
}

export interface ReadyModel {
  /** `provider/model` */
  model: string
  /** A hash of its row in the table of models: the same name with another ComfyUI graph is another model. */
  recipe?: string
}

/** The public facts of a provider: no secrets and no addresses. */
export interface ProviderFacts {
  id: string
  title: string
  summary: string
  docsUrl: string | undefined
  isConfigured: boolean
  /** Why it is not configured, with the names of the missing settings. */
  unavailableReason: string | undefined
  models: ModelFacts[]
}

export interface ModelFacts {
  /** Name without the provider. A name that ends in `*` matches every model with that prefix. */
  name: string
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined if it is not known. */
  price: Partial<Record<Capability, PriceFacts>> | undefined
  /** The capabilities for which it is the default model. */
  defaultFor: Capability[]
  /** Why it can't be called although its provider is configured: a local model that is not installed. */
  unavailableReason?: string
  /** Facts of a local model. */
  local?: LocalModelFacts
}

export interface LocalModelFacts {
  /** The id of the operation that uses it. */
  operation: string
  /** SPDX. */
  license: string
  /**
   * Hash of the package or the file, with the algorithm. Null if the file was never installed, and its manifest has
   * none.
   */
  hash: string | null
}

/** Price in US dollars. `per`: the unit, for example an image. */
export type PriceFacts = { asOf: string; per: string; usd?: number }

export interface RequestImage {
  bytes: Buffer
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

/** The mask in the form that the provider needs, each a PNG of the size of the image. */
export interface RequestMask {
  /** Greyscale: white where the model repaints the image, black elsewhere. */
  white(): Promise<Buffer>
  /** Greyscale: black where the model repaints the image. */
  black(): Promise<Buffer>
  /** RGBA: transparent where the model repaints the image, opaque elsewhere. */
  transparent(): Promise<Buffer>
}

/** The request to one model. It has only features that the model supports. */
export interface ModelRequest {
  capability: Capability
  prompt?: string
  /** System prompt of `write`. */
  instructions?: string
  size?: { width: number; height: number }
  aspectRatio?: string
  seed?: number
  transparency?: boolean
  images: readonly RequestImage[]
  mask?: RequestMask
  scale?: number
  /** Maximum of characters in the response of `write` and `describe`. */
  charsMax?: number
  /** The response is JSON that matches this schema. Only for models with `structuredOutput`. */
  schema?: ValueSchema
}

export type CostSource =
  /** The provider reported it. */
  | 'reported'
  /** Computed from the reported usage, or from the results, and the price table. */
  | 'computed'
  /** The reserved amount: it is unknown whether the call was billed. */
  | 'assumed'

/** One call of one model, as the record of a step lists it. */
export interface ModelCallRecord {
  /** `provider/model` */
  model: string
  /** `done`, or a `ProblemKind`. */
  outcome: string
  /** US dollars. Null if unknown, 0 if the call was not billed. */
  costUsd: number | null
  costSource: CostSource | null
  /** The provider's id of the request or the job, for its support. */
  requestId?: string
}

/** The use of a model by a step. It takes several calls if a model fails: retries, and fallback models. */
export interface ModelInvocation extends Pick<ModelRequirements, 'capability' | 'model' | 'fallback' | 'requirements'> {
  /** Creates the request. Called only if a model is called. */
  request(): Promise<Omit<ModelRequest, 'capability'>>
  /** Behavior if it is unknown whether a call ran and was billed. */
  onUnknownOutcome: 'fail' | 'retry'
  /** Runs a local model. Undefined if no local model has the capability. */
  local?(model: string): Promise<void>
  /**
   * Validates a response whose images have been decoded. Rejects with an Error that says what is wrong with it, with a
   * `ResponseMismatch` if it doesn't match the schema, or with a Fault if the execution was aborted.
   */
  accept?(response: ModelResponse): Promise<void>
}

export interface ModelResponse {
  /** The model that responded. */
  model: string
  /** Image files that have been decoded once. Empty for a local model. */
  images: Buffer[]
  text?: string
  seed?: number
}

/** Identifies one invocation of an execution. It is the same in each attempt. */
export interface CallSite {
  node: string
  /** Index of the list item; -1 if the step runs once. */
  item: number
  /** Counts the invocations of one run of the operation, from 0. */
  ordinal: number
}

/** Calls models. Implemented by `providers/calls`. */
export interface ModelClient {
  /**
   * Returns the response of an earlier attempt, of a job that is still in progress, or of a new call. Throws a `Fault`, or the
   * reason of the signal.
   */
  invoke(
    owner: CallOwner,
    site: CallSite,
    invocation: ModelInvocation,
    options: InvocationOptions,
  ): Promise<ModelResponse>
}

/** The execution that calls a model. */
export interface CallOwner {
  accountId: string
  executionId: string
  workflowId: string
  keyId: string | null
  /** The batch of the execution. */
  batchId?: string
  /** The attempt of the execution. Writes of earlier attempts are rejected. */
  attempt: number
  /** The executions that it resumes, the most recent first. */
  resumeChain: readonly string[]
}

/**
 * Why an invocation is aborted. cancelled: the response is no longer needed. handed_over: the next attempt continues the call.
 * lease_lost: this attempt may no longer write; the record of the execution says whether another attempt continues.
 */
export type AbortReason = 'cancelled' | 'handed_over' | 'lease_lost'

export interface InvocationOptions {
  signal: AbortSignal
  /** Wraps each wait for the provider, as in `AttemptActivity`. */
  waiting?: AttemptActivity['waiting']
  /** Decides what happens to a call in progress after the signal has aborted. */
  abortReason(): AbortReason
  /** Time until the deadline of the execution. */
  secondsLeft(): number
  /** Receives all calls of this call site whenever one changes. */
  onCalls(calls: readonly ModelCallRecord[]): void
}
