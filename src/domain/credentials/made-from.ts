/** The models and sources of an image, for the manifest of the output. */
import { limits } from '../../limits.ts'
import type { ImageFormat } from '../images/image.ts'
import type { CredentialState } from './credential-state.ts'

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
  /** State of its Content Credentials, if it has any. */
  credentials?: CredentialState
}

/** The parts of all, each once; at most `limits.madeFromMax` of each kind. Undefined without parts. */
export function joinedParts(parts: readonly (MadeFrom | undefined)[]): MadeFrom | undefined {
  const found = parts.filter((part) => part !== undefined)
  const [first] = found
  if (first === undefined || found.every((part) => part === first)) return first
  const models = new Set(found.flatMap((part) => part.models))
  const sources = new Map(
    found.flatMap((part) => part.sources).map((source) => [`${source.sha256} ${source.imageId}`, source]),
  )
  const most = limits.madeFromMax
  // Those with credentials come first, so that they are not left out.
  const all = [...sources.values()].sort(
    (a, b) => Number(b.credentials !== undefined) - Number(a.credentials !== undefined),
  )
  return { models: [...models].slice(0, most), sources: all.slice(0, most) }
}
