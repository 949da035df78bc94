/** The shape of an operation: one value from which checks, types, reference, forms and golden tests are derived. */
import type { Static, TObject, TSchema } from 'typebox'
import type { Capability, ModelInvocation, ModelResponse } from '../domain/model.ts'
import type { RequirementParams } from '../domain/requirements.ts'
import type { ImageValue, ImagingContext, Stage } from '../imaging/types.ts'

/** A place for wires: where the images of other nodes come in. */
export interface Socket<Required extends boolean = boolean, Many extends boolean = boolean> {
  description: string
  required: Required
  /** Whether it takes a list of nodes. */
  many: Many
}

export const socket = {
  one: (description: string): Socket<true, false> => ({ description, required: true, many: false }),
  optional: (description: string): Socket<false, false> => ({ description, required: false, many: false }),
  many: (description: string): Socket<true, true> => ({ description, required: true, many: true }),
}

export type Sockets = Record<string, Socket>

export type InputsOf<S extends Sockets> = {
  [Name in keyof S]: S[Name]['many'] extends true
    ? ImageValue[]
    : S[Name]['required'] extends true
      ? ImageValue
      : ImageValue | undefined
}

export type Values = Record<string, TSchema>

export type OutputsOf<V extends Values> = { image?: ImageValue } & { [Name in keyof V]: Static<V[Name]> }

/** The groups of the palette, in its order; also the folders of the operations. */
export const groups = [
  'source',
  'ai',
  'geometry',
  'colour',
  'filter',
  'combine',
  'text',
  'analyse',
  'animation',
] as const
export type Group = (typeof groups)[number]

/**
 * What becomes of transparency. kept: every pixel keeps the alpha that it had. moved: alpha goes where the pixels go, and
 * is mixed as they are (premultiplied, so that no edge gets dark); what was opaque stays opaque. made: the operation
 * decides, and its text says how.
 */
export const alphaRules = ['kept', 'moved', 'made'] as const
export type AlphaRule = (typeof alphaRules)[number]

/**
 * What becomes of an animation. each: every frame by itself. whole: the operation takes all frames together. first: only
 * the first frame counts. none: there is no image to take.
 */
export const framesRules = ['each', 'whole', 'first', 'none'] as const
export type FramesRule = (typeof framesRules)[number]

/** An example is reference, golden test and benchmark row at once. */
export interface Example {
  /** What it shows, in a few words; also the name of its golden image. */
  name: string
  /** Socket -> file of examples/samples, or several. */
  inputs?: Record<string, string | string[]>
  params: Record<string, unknown>
  /** The local model that it needs: where that is not installed, the example cannot be shown. */
  requires?: string
}

/** Everything that an operation may use besides its inputs and params. */
export interface OperationContext extends ImagingContext {
  /** Reads the bytes of an image id, a URL of this service, or an http(s) URL. `reserve` receives the maximum size. */
  open(source: string, reserve?: ReserveBytes): Promise<Buffer>
  /** Calls a model: once for all attempts of the execution. Undefined if the run cannot call providers. */
  invokeModel?: ((invocation: ModelInvocation) => Promise<ModelResponse>) | undefined
}

/** Resolves when memory for a file of `bytes` bytes is available. */
export type ReserveBytes = (bytes: number) => Promise<void>

export interface Operation<S extends Sockets = Sockets, P extends TObject = TObject, V extends Values = Values> {
  /** The word in a workflow's `type`; also the file's name, the page's, and the folder of its golden images. */
  id: string
  /** Goes up when the same params give another picture. */
  version: number
  title: string
  /** One sentence. */
  summary: string
  group: Group
  /** The first is the one that a skipped node hands on. */
  inputs: S
  /** An object without additional properties. Every property has a description; units are told there or by `x-unit`. */
  params: P
  outputs: {
    /** What the image is; undefined where there is none, and nothing can be wired to it. */
    image: string | undefined
    /** Values for templates: `{{ nodes.<id>.<name> }}`. Every image has width, height and format besides. */
    values?: V
  }
  /** What it does to transparency and to animations; the conformance test holds it to this. */
  alpha: AlphaRule
  frames: FramesRule
  /** Set if it calls AI models. Its params then have `model`, `fallback` and `onUnknownOutcome` (`model-params.ts`). */
  usesModel?: ModelUse
  /**
   * Whether the same inputs and params always give the same picture, or one that is as good: what is, is served from the
   * cache.
   */
  deterministic: boolean | ((params: Static<P>) => boolean)
  /** What its result depends on besides inputs and params, so that results are known by it. */
  reads?: Reads<Static<P>>
  examples: Example[]
  /** The stage of sharp that it is with these params, if it is just one: what the planner fuses by (`raster/pipeline.ts`). */
  stage?(params: Static<P>): Stage | undefined
  run(inputs: InputsOf<S>, params: Static<P>, context: OperationContext): Promise<OutputsOf<V>>
}

/** The capability that an operation needs, and its params and sockets that require a feature that not every model has. */
export interface ModelUse {
  capability: Capability
  requirements: RequirementParams
  /** With fewer images it calls no model. */
  imagesMin?: number
}

export interface Reads<P = never> {
  /** Params that name what `context.open` reads. With them, it is what they hold that makes a result another one. */
  sources?: readonly string[]
  /** Whether it may draw with the fonts of the account. */
  fonts?: boolean
  /**
   * The files of local models that it runs with these params: package and version. `chain`: the models that are asked in
   * turn, `provider/model`; none where it asks nobody.
   */
  models?(params: P, chain: readonly string[]): readonly string[]
}

/** Checks nothing at run time: the types do, and the tests of the catalogue. */
export function defineOperation<const S extends Sockets, P extends TObject, V extends Values = Record<never, TSchema>>(
  operation: Operation<S, P, V>,
): Operation {
  return operation as unknown as Operation
}

/** Operations by id. */
export type Catalogue = ReadonlyMap<string, Operation>
