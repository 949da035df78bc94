/**
 * The definition of an operation: one value from which validation, types, reference, forms and golden tests are
 * derived.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { Frame } from '../../shared/frames.ts'
import type { CredentialState } from '../domain/credentials/credential-state.ts'
import type { ManifestActionName } from '../domain/credentials/credentials.ts'
import type { Origin } from '../domain/images/origin.ts'
import type { Capability, ModelInvocation, ModelResponse } from '../domain/models/model.ts'
import type { RequirementParams } from '../domain/models/requirements.ts'
import type { ImageValue, ImagingContext, Stage } from '../imaging/types.ts'

/** An input of a node, which other nodes' images are connected to. */
export interface Socket<Required extends boolean = boolean, Many extends boolean = boolean> {
  description: string
  required: Required
  /** Whether it accepts a list of nodes. */
  many: Many
  /** Whether the operation uses the ids of the connected nodes (`OperationContext.wires`). They become part of the cache key. */
  named?: true
  /** Whether its image is a mask of the first input: white areas are selected. An editor can paint it. */
  mask?: true
}

export const socket = {
  one: (description: string): Socket<true, false> => ({ description, required: true, many: false }),
  optional: (description: string): Socket<false, false> => ({ description, required: false, many: false }),
  many: (description: string): Socket<true, true> => ({ description, required: true, many: true }),
  mask: (description: string): Socket<true, false> => ({ ...socket.one(description), mask: true }),
  optionalMask: (description: string): Socket<false, false> => ({ ...socket.optional(description), mask: true }),
  named: (description: string): Socket<false, true> => ({ description, required: false, many: true, named: true }),
}

export type Sockets = Record<string, Socket>

export type InputsOf<S extends Sockets> = {
  [Name in keyof S]: S[Name]['many'] extends true
    ? ImageValue[]
    : S[Name]['required'] extends true
      ? ImageValue
      : ImageValue | undefined
}

/** Pixels. */
export type Size = Pick<ImageValue, 'width' | 'height'>

export type SizesOf<S extends Sockets> = {
  [Name in keyof S]: S[Name]['many'] extends true ? Size[] : S[Name]['required'] extends true ? Size : Size | undefined
}

export type Values = Record<string, TSchema>

/** `drawn`: the frames of an operation that knows them only from drawing. Others have the function `drawn`. */
export type OutputsOf<V extends Values> = { image?: ImageValue; drawn?: Frame[] } & {
  [Name in keyof V]: Static<V[Name]>
}

/** The groups of the palette, in order; also the folders of the operations. */
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
 * Effect on transparency. kept: every pixel keeps its alpha. moved: alpha moves with the pixels and is mixed like
 * them (premultiplied, so that edges don't darken); opaque images stay opaque. made: defined by the operation and
 * described in its text.
 */
export const alphaRules = ['kept', 'moved', 'made'] as const
export type AlphaRule = (typeof alphaRules)[number]

/**
 * Effect on animations. each: frames are processed separately. whole: the operation processes all frames together.
 * first: only the first frame counts. none: there is no image input.
 */
export const framesRules = ['each', 'whole', 'first', 'none'] as const
export type FramesRule = (typeof framesRules)[number]

/** An example is documentation, golden test and benchmark row at the same time. */
export interface Example {
  /** A short description; also the name of its golden image. */
  name: string
  /** Socket -> one or several files of examples/samples. */
  inputs?: Record<string, string | string[]>
  params: Record<string, unknown>
  /** The local model that it requires: if it isn't installed, the example is skipped. */
  requires?: string
}

/** Everything that an operation can use in addition to its inputs and params. */
export interface OperationContext extends ImagingContext {
  /** Reads the bytes of an image id, a URL of this service, or an http(s) URL. `reserve` receives the maximum size. */
  open(source: string, reserve?: ReserveBytes): Promise<OpenedSource>
  /** The ids of the nodes that the images of a named socket come from, in the order of the images. */
  wires?: Readonly<Record<string, readonly string[]>> | undefined
  /** Calls a model: once for all attempts of the execution. Undefined if the run cannot call providers. */
  invokeModel?: ((invocation: ModelInvocation) => Promise<ModelResponse>) | undefined
}

/** `origin` and `credentials`: what is known without the XMP of the file. */
export interface OpenedSource {
  bytes: Buffer
  /** Hash in hex, if it is known. */
  sha256?: string
  /** Id of a stored image. */
  imageId?: string
  origin?: Origin
  /** State of its Content Credentials, if it has any. */
  credentials?: CredentialState
}

/** Resolves when memory for a file of `bytes` bytes is available. */
export type ReserveBytes = (bytes: number) => Promise<void>

export interface Operation<S extends Sockets = Sockets, P extends TObject = TObject, V extends Values = Values> {
  /** The `type` of a node; also the name of the file, the page, and the folder of golden images. */
  id: string
  /** Increased when the same params return different pixels. */
  version: number
  title: string
  /** One sentence. */
  summary: string
  /** Synonyms and tasks in lower case, for searches: "overlay" and "merge" for composite. None repeats the id or the title. */
  keywords: string[]
  group: Group
  /** A skipped node returns its first input. */
  inputs: S
  /**
   * An object without additional properties. Every property has a description; the unit is part of it or in `x-unit`.
   */
  params: P
  outputs: {
    /** Description of the image; undefined if the operation returns none, so that nothing can be connected to it. */
    image: string | undefined
    /** Values for templates: `{{ nodes.<id>.<name> }}`. Every image also has width, height and format. */
    values?: V
    /** Id of a frame that it reports -> its description. `N` is a number. */
    drawn?: Readonly<Record<string, string>>
    /** A value whose JSON Schema is a param of the node, so that the fields in templates are known. Null without the param. */
    structured?: { value: string; param: string }
  }
  /** The C2PA action that describes it in Content Credentials. Default: that of its group (`services/credentials/manifest.ts`). */
  action?: ManifestActionName
  /** Effects on transparency and animations; the conformance test checks them. */
  alpha: AlphaRule
  frames: FramesRule
  /** Set if it calls AI models. Its params then have `model`, `fallback` and `onUnknownOutcome` (`model-params.ts`). */
  usesModel?: ModelUse
  /**
   * Whether the same inputs and params always return the same or an equally good image. If so, results are cached.
   */
  deterministic: boolean | ((params: Static<P>) => boolean)
  /** Further dependencies of its result; they become part of the cache key. */
  reads?: Reads<Static<P>>
  examples: Example[]
  choice?: Choice
  /**
   * Mistakes in params that their schema can't describe, when a workflow is saved. The params may contain templates, and lack
   * defaults. `wires`: socket -> ids of the connected nodes.
   */
  check?(params: Readonly<Record<string, unknown>>, wires: Readonly<Record<string, readonly string[]>>): ParamIssue[]
  /**
   * The stage of sharp that the operation equals with these params, if it is exactly one. The plan fuses stages
   * (`raster/pipeline.ts`).
   */
  stage?(params: Static<P>): Stage | undefined
  /**
   * The areas that it draws or reads, if they follow from the params and the sizes of the inputs and of the result: a pure function. `run` returns
   * `drawn` instead if only it knows. The engine limits and rounds them (`engine/run/step-frames.ts`).
   */
  drawn?(params: Static<P>, inputs: SizesOf<S>, result: Size | undefined): Frame[]
  run(inputs: InputsOf<S>, params: Static<P>, context: OperationContext): Promise<OutputsOf<V>>
}

/**
 * Set for an operation that, with some params, returns one of its images unchanged and reads no other. The engine then makes only
 * this image. `params` can be of any type that their schema allows.
 */
export interface Choice {
  /** A socket for several images. */
  socket: string
  /** The param, and its value, with which the params alone choose the image. */
  by: { param: string; value: string }
  /** The other params that choose it. */
  params: readonly string[]
  /** A mistake in the params of a node with `count` images. They may contain templates, and lack defaults. */
  issue(params: Record<string, unknown>, count: number): ChoiceIssue | undefined
  /** The place of the chosen image for rendered params, or why there is none. */
  indexOf(params: Record<string, unknown>, count: number): number | ChoiceIssue
}

export interface ChoiceIssue {
  param: string
  message: string
}

/** A mistake in a param, with its place if the param is a longer text. Lines and columns start at 1. */
export interface ParamIssue extends ChoiceIssue {
  line?: number
  column?: number
}

/** The capability that an operation needs, and its params and sockets that require a feature that not every model has. */
export interface ModelUse {
  capability: Capability
  requirements: RequirementParams
  /** Number of images below which it calls no model. */
  imagesMin?: number
}

export interface Reads<P = never> {
  /** Params that name sources for `context.open`. The content of the sources becomes part of the cache key. */
  sources?: readonly string[]
  /** Whether it may draw with the fonts of the account. */
  fonts?: boolean
  /** Packages, with their versions, that only this operation draws with. Those of all operations are in `fingerprint.ts`. */
  packages?: readonly string[]
  /**
   * Keys (package and version) of the local models that it runs with these params. `chain`: the models to call in
   * order, as `provider/model`; empty if none is called.
   */
  models?(params: P, chain: readonly string[]): readonly string[]
}

/** Checks nothing at run time: types and the tests of the catalogue do. */
export function defineOperation<const S extends Sockets, P extends TObject, V extends Values = Record<never, TSchema>>(
  operation: Operation<S, P, V>,
): Operation {
  return operation as unknown as Operation
}

/** Operations by id. */
export type Catalogue = ReadonlyMap<string, Operation>
