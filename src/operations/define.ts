/** The shape of an operation: one value from which checks, types, reference, forms and golden tests are derived. */
import type { Static, TObject, TSchema } from 'typebox'
import type { ImageFormat } from '../domain/image.ts'
import type { Capability, ModelInvocation, ModelResponse } from '../domain/model.ts'
import type { RequirementParams } from '../domain/requirements.ts'
import type { Sharp } from '../imaging/raster/sharp.ts'

/** Pixels at rest: 8 bits a channel, sRGB, rows without padding; the fourth channel is straight (not premultiplied) alpha. */
export interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 3 | 4
}

/**
 * What travels along a wire. Either `pixels` are there, or the `encoded` bytes of which they are made when asked for
 * (`raster/picture.ts`); both once it was decoded. Nothing ever changes a picture: an operation gives a new one.
 * Whoever does not ask for the animation sees its first frame.
 */
export interface Picture {
  /** Pixels, as it is seen: after EXIF orientation. */
  width: number
  height: number
  hasAlpha: boolean
  /** The format of the bytes it came from; `raw` for one that an operation made. */
  format: ImageFormat | 'raw'
  encoded?: Buffer
  /** How much memory the decoder takes for these bytes, besides the pixels. */
  decodingBytes?: number
  /** Whether the bytes hold RGB of 8 bits a channel, so that whatever follows in the call that decodes them sees the same. */
  plain?: boolean
  pixels?: Pixels
  /** Only where there are two frames or more. */
  animation?: Animation
  /** What the file said besides its pixels. The engine hands it on from the first input; operations need not know. */
  origin?: Origin
  /** What is still to be done to make its pixels, in one call of sharp, in place of pixels and bytes. */
  pending?: { from: Picture; works: StageWork[] }
}

/** A place in the order in which sharp works. Which may share a call: `raster/stages.ts`. */
export interface Stage {
  name: string
  /** Whether it may join a call with these stages, every pixel being the same. `hasAlpha`: of the picture at its start. */
  follows(before: readonly Stage[], hasAlpha: boolean): boolean
}

/** One stage with its values, and what comes out of it. */
export interface StageWork {
  stage: Stage
  width: number
  height: number
  hasAlpha: boolean
  /** Whether it wants the bytes of an encoded picture rather than its pixels, to decode only as far as it must. */
  fromBytes?: boolean
  tell(image: Sharp): void
}

/** As found in a file, for outputs that keep it. */
export interface Origin {
  exif?: Buffer
  xmp?: Buffer
  iptc?: Buffer
  /** Of RGB only. */
  icc?: Buffer
  /** Pixels of an inch. */
  density?: number
}

/**
 * Frames of one size. Either they are there, or the `encoded` bytes of all of them, from which they are made when asked
 * for (`raster/read/frames.ts`).
 */
export interface Animation {
  /** How long each frame is shown; one number a frame. */
  delaysMs: number[]
  /** How often all of it is shown; 0 for ever. */
  loops: number
  encoded?: Buffer
  /** Still pictures. */
  frames?: Picture[]
}

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
    ? Picture[]
    : S[Name]['required'] extends true
      ? Picture
      : Picture | undefined
}

export type Values = Record<string, TSchema>

export type OutputsOf<V extends Values> = { image?: Picture } & { [Name in keyof V]: Static<V[Name]> }

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

/** The only way out of an operation. */
export interface OperationContext {
  /** Whether the result has one reader, which goes on with it in the same call of sharp: it may stay `pending`. */
  unfinished?: boolean
  /** What the first frame of an animation has decided for the others (`raster/same-for-all.ts`). */
  decided?: Map<string, Promise<unknown>>
  /** Aborts when the execution is cancelled, has passed its deadline, or another step has failed. */
  signal: AbortSignal
  /** Seconds until the deadline; more than 0. */
  secondsLeft(): number
  /** Pixels that a picture may have; set by the operator. */
  pixelsMax: number
  /** Whose execution it is: accounts take turns at the gate of the image work. */
  account?: string | undefined
  /** Pixels of the largest image that the step works on. */
  pixels?: number | undefined
  /** Waits until this much memory is available to a job, besides the pixels that come out of it. */
  reserve?: ((bytes: number, signal: AbortSignal) => Promise<() => void>) | undefined
  /** The bytes of an image id, a URL of this service, or an http(s) URL. `reserve` is called with the most that there can be. */
  open(source: string, reserve?: ReserveBytes): Promise<Buffer>
  /** Calls a model: once for all attempts of the execution. Undefined if the run cannot call providers. */
  invokeModel?: ((invocation: ModelInvocation) => Promise<ModelResponse>) | undefined
  /** The fonts of the account whose execution it is. */
  fonts?: (() => Promise<AccountFont[]>) | undefined
}

/** Resolves when there is memory for a file of so many bytes. */
export type ReserveBytes = (bytes: number) => Promise<void>

/** A font that the account uploaded: one file. */
export interface AccountFont {
  id: string
  accountId: string
  family: string
  /** Of 100 to 900; the same twice unless the font is variable. */
  weightMin: number
  weightMax: number
  italic: boolean
  read(): Promise<Buffer>
}

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
