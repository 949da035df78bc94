/** Content Credentials (C2PA): a signed manifest in an image file that says where the image came from, and the port that writes and reads it. */

import type { ImageFormat } from '../images/image.ts'
import { digitalSourceType, type Origin, originOfSourceType, sourceTypeNames } from '../images/origin.ts'
import { createPauses } from '../pauses.ts'
import type { CredentialState } from './credential-state.ts'

/** Formats that can contain a manifest. An SVG can too, but no output is one. */
export const credentialFormats = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const satisfies ImageFormat[]

export type CredentialFormat = (typeof credentialFormats)[number]

export function isCredentialFormat(format: ImageFormat): format is CredentialFormat {
  return (credentialFormats as readonly ImageFormat[]).includes(format)
}

/** Label of the assertion with the facts of an execution. */
export const executionLabel = 'com.tintype.execution'

/**
 * Source types of the IPTC vocabulary, and the two that C2PA adds. The library signs any other text too, so manifests
 * are checked.
 */
const allowedSourceTypes = new Set<string>([
  ...sourceTypeNames.map(digitalSourceType),
  'http://c2pa.org/digitalsourcetype/empty',
  'http://c2pa.org/digitalsourcetype/trainedAlgorithmicData',
])

/** Actions of https://spec.c2pa.org that describe how an image came about. */
export type ManifestActionName =
  | 'c2pa.color_adjustments'
  | 'c2pa.converted'
  | 'c2pa.created'
  | 'c2pa.cropped'
  | 'c2pa.drawing'
  | 'c2pa.edited'
  | 'c2pa.filtered'
  | 'c2pa.opened'
  | 'c2pa.orientation'
  | 'c2pa.placed'
  | 'c2pa.removed'
  | 'c2pa.resized'
  | 'c2pa.transcoded'
  | 'c2pa.unknown'

export interface ManifestAction {
  action: ManifestActionName
  /** A URI: `digitalSourceType(name)`. Required for `c2pa.created`. */
  digitalSourceType?: string
  /** The model or the program that did it. */
  softwareAgent?: { name: string; version?: string }
  /** `id` of the ingredients that it used. Required for `c2pa.opened` and `c2pa.placed`. */
  ingredientIds?: string[]
  description?: string
}

/** An image that went into another one. */
export interface ManifestIngredient {
  /** Unique in the manifest. Actions name it; the file doesn't contain it. */
  id: string
  title: string
  /** `parentOf`: the image that was opened and changed, at most one. `componentOf`: a part. */
  relationship: 'parentOf' | 'componentOf'
  format: CredentialFormat
  /** Needed for one with credentials, which are copied into the new manifest. */
  bytes?: Uint8Array
}

export interface Manifest {
  title: string
  /** The first one is `c2pa.created` or `c2pa.opened`. */
  actions: ManifestAction[]
  ingredients: ManifestIngredient[]
  /** Data of the assertion `executionLabel`, as JSON. */
  execution?: Record<string, unknown>
}

export interface CredentialFile {
  format: ImageFormat
  bytes: Uint8Array
}

export interface SignedFile {
  bytes: Buffer
  /** Sentences for the owner of the output, such as about a time-stamp server that did not respond. */
  warnings: string[]
}

export interface CredentialProblem {
  /** Status code of C2PA, such as `assertion.dataHash.mismatch`, or one that starts with `tintype.`. */
  code: string
  message: string
}

export interface ReportedAction {
  action: string
  digitalSourceType?: string
  /** Name of the model or program. */
  softwareAgent?: string
  description?: string
  /** ISO 8601, if the signer recorded it. */
  when?: string
}

export interface ReportedIngredient {
  title: string
  relationship: string
  mediaType?: string
  /** Null: it had no credentials when it was used. */
  credentials: ReportedManifest | null
}

/** The facts of one manifest: of a file, or of an ingredient. An ingredient has the state that its user recorded. */
export interface ReportedManifest {
  state: CredentialState
  problems: CredentialProblem[]
  title?: string
  /** Null if the signature can't be read. */
  signer: {
    /** Organization of the certificate. */
    issuer?: string
    commonName?: string
    algorithm?: string
    /** ISO 8601: the time of the RFC 3161 time stamp. Without one, the time is unknown. */
    time?: string
    /** The certificate is the one of this installation. Always false for ingredients, whose signer another signer checked. */
    isOwn: boolean
  } | null
  /** The program that wrote it, such as `Tintype 1.0.0`. */
  claimGenerator?: string
  actions: ReportedAction[]
  ingredients: ReportedIngredient[]
  /** Assertions of Tintype: label to data. */
  assertions: Record<string, unknown>
}

export interface CredentialsReport extends ReportedManifest {
  /** Some actions, ingredients or texts were left out, because there are too many. */
  isShortened: boolean
}

/** The parts of a report that are kept with an image. Empty without credentials. */
export interface CredentialFacts {
  credentials?: CredentialState
  origin?: Origin
}

/**
 * Facts of a report, also of invalid credentials: a manifest that was changed may still say the truth about its pixels.
 */
export function factsOf(report: CredentialsReport | undefined): CredentialFacts {
  if (report === undefined) return {}
  const origins = originsIn(report)
  const isWhole = report.ingredients.length === 0 && origins.every((origin) => origin === 'generated')
  const origin = origins.length === 0 ? undefined : isWhole ? 'generated' : 'composite'
  return { credentials: report.state, ...(origin && { origin }) }
}

/** Reports are bounded in depth and size. */
function originsIn({ actions, ingredients }: ReportedManifest): Origin[] {
  const ownOrigins = actions.flatMap(({ digitalSourceType: type }) => (type && originOfSourceType(type)) || [])
  return [...ownOrigins, ...ingredients.flatMap(({ credentials }) => (credentials ? originsIn(credentials) : []))]
}

export interface CredentialsOptions {
  signal: AbortSignal
  /** Accounts take turns. Default: an account without a name. */
  account?: string | undefined
}

export interface Credentials {
  /**
   * The file with a new manifest, which replaces one that it has. Sign last: any later change of the file makes the manifest
   * invalid. The result was read back and is valid. Throws a `Fault`: `limit_exceeded` if it is too large, `provider_unavailable`
   * if a signer or a required time stamp isn't available, `internal` if signing failed.
   */
  sign(file: CredentialFile, manifest: Manifest, options: CredentialsOptions): Promise<SignedFile>
  /**
   * The credentials in a file; undefined if it has none. A function is called when it is the turn of the file, so that files that
   * wait are not in memory. Credentials that can't be read, take too long or crash the
   * reader are reported as `invalid`. Makes no request, whatever the file contains.
   */
  read(
    file: CredentialFile | (() => Promise<CredentialFile>),
    options: CredentialsOptions,
  ): Promise<CredentialsReport | undefined>
  close(): Promise<void>
}

/**
 * Whether a file may have credentials: false is certain. Every manifest starts with the label `c2pa`, or in a GIF with `C2PA_GIF`; other
 * bytes of a file can equal them by chance. Takes about 0.1 ms for each megabyte, and 12 ms if all of its bytes are the first one of the
 * label. Between two pieces, other work has its turn.
 */
export async function mayHaveCredentials({ format, bytes }: CredentialFile): Promise<boolean> {
  if (!isCredentialFormat(format)) return false
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const label = format === 'gif' ? 'C2PA_GIF' : 'c2pa'
  const pauseIfDue = createPauses()
  for (let from = 0; from < file.length; from += searchedBytes) {
    await pauseIfDue()
    // A label can start in one piece and end in the next one.
    if (file.subarray(from, from + searchedBytes + label.length - 1).includes(label)) return true
  }
  return false
}

/** Bytes that are searched before the event loop continues. */
const searchedBytes = 1_048_576

/** Throws an Error that names the mistake. The library would sign it, and readers would reject the file. */
export function checkManifest({ actions, ingredients }: Manifest): void {
  const ids = new Set(ingredients.map(({ id }) => id))
  if (ids.size !== ingredients.length) throw new Error('two ingredients have the same id')
  if (ingredients.filter(({ relationship }) => relationship === 'parentOf').length > 1)
    throw new Error('more than one ingredient is parentOf')
  const [first] = actions
  if (first?.action !== 'c2pa.created' && first?.action !== 'c2pa.opened')
    throw new Error('the first action must be c2pa.created or c2pa.opened')
  for (const { action, digitalSourceType: type, ingredientIds = [] } of actions) {
    if (type === undefined ? action === 'c2pa.created' : !allowedSourceTypes.has(type))
      throw new Error(`${action} needs a digitalSourceType of the IPTC vocabulary, not ${type}`)
    if ((action === 'c2pa.opened' || action === 'c2pa.placed') && ingredientIds.length === 0)
      throw new Error(`${action} needs ingredientIds`)
    const unknown = ingredientIds.find((id) => !ids.has(id))
    if (unknown !== undefined) throw new Error(`${action} names the ingredient ${unknown}, which doesn't exist`)
  }
}
