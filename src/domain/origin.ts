/** Which pixels of an image a generative AI model made, and what the image is made from. */
import { limits } from '../limits.ts'
import type { CredentialState } from './credential-state.ts'
import type { ImageFormat } from './image.ts'

/** `generated`: all of them. `composite`: a part of them, or pixels that were made from others. */
export const origins = ['generated', 'composite'] as const
export type Origin = (typeof origins)[number]

/**
 * The IPTC digital source types that mark these images in their metadata, as URIs.
 * https://cv.iptc.org/newscodes/digitalsourcetype/
 */
export const digitalSourceTypes: Record<Origin, string> = {
  generated: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  composite: 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
}

/** The digital source types of other programs that mean one of these origins. Compared without the path of the URI. */
const originOfType = new Map<string, Origin>([
  ['trainedAlgorithmicMedia', 'generated'],
  ['compositeWithTrainedAlgorithmicMedia', 'composite'],
  ['compositeSynthetic', 'composite'],
])

/** The origin that a digital source type states, as a URI or only its name. Undefined for types without generative AI. */
export function originOfSourceType(type: string): Origin | undefined {
  return originOfType.get(type.slice(type.lastIndexOf('/') + 1))
}

/** The names of the types that state an origin. */
export const aiSourceTypes = [...originOfType.keys()]

/** The models and sources that an image is made from. */
export interface MadeFrom {
  /** Names of the models that made pixels: `provider/model`. */
  models: readonly string[]
  sources: readonly ImageSource[]
}

/** A source of an `image` node. */
export interface ImageSource {
  /** SHA-256 of its bytes, in hex. */
  sha256: string
  format: ImageFormat
  /** Undefined for one that was downloaded: its URL may contain secrets. */
  imageId?: string
  /** Of its Content Credentials, if it has any. */
  credentials?: CredentialState
}

/** The parts of all, each once; at most `limits.madeFromMax` of each kind. Undefined without parts. */
export function joinedParts(parts: readonly (MadeFrom | undefined)[]): MadeFrom | undefined {
  const found = parts.filter((part) => part !== undefined)
  const [first] = found
  if (first === undefined || found.every((part) => part === first)) return first
  const models = new Set(found.flatMap((part) => part.models))
  const sources = new Map(found.flatMap((part) => part.sources).map((each) => [`${each.sha256} ${each.imageId}`, each]))
  const most = limits.madeFromMax
  // Those with credentials come first, so that they are not left out.
  const all = [...sources.values()].sort(
    (a, b) => Number(b.credentials !== undefined) - Number(a.credentials !== undefined),
  )
  return { models: [...models].slice(0, most), sources: all.slice(0, most) }
}

/** The origin of an image that is made of these parts. Undefined: of no known AI model. */
export function combinedOrigin(parts: readonly (Origin | undefined)[]): Origin | undefined {
  if (parts.every((part) => part === undefined)) return undefined
  return parts.every((part) => part === 'generated') ? 'generated' : 'composite'
}
