/** The requirements of a node on models, from its params. */
import type { Requirement } from './model.ts'

/** The params that require a feature that not every model has. `images` is a socket. */
export interface RequirementParams {
  /** Width and height. */
  size?: readonly [string, string]
  aspectRatio?: string
  seed?: string
  /** A boolean. */
  transparency?: string
  scale?: string
  prompt?: string
  /** The schema of the response. Models without a prompt can't get it. */
  schema?: string
  images?: string
}

/** `images`: their number; undefined if it is not known. `isKnown`: whether the value of a param is known. */
export function requirementsOf(
  names: RequirementParams,
  params: Readonly<Record<string, unknown>>,
  images: number | undefined,
  isKnown: (param: string) => boolean = () => true,
): Requirement[] {
  const requirements: Requirement[] = []
  const isSet = (name: string | undefined): name is string => name !== undefined && params[name] !== undefined
  const numberOf = (name: string) => (isKnown(name) && typeof params[name] === 'number' ? params[name] : undefined)
  const { size = [], aspectRatio, seed, transparency, scale, prompt, schema } = names
  const [path] = size.filter(isSet)
  if (path !== undefined) {
    const [width, height] = size.map(numberOf)
    const value = width !== undefined && height !== undefined ? { width, height } : undefined
    requirements.push({ kind: 'size', path, value })
  }
  if (isSet(aspectRatio)) {
    const value = isKnown(aspectRatio) ? String(params[aspectRatio]) : undefined
    requirements.push({ kind: 'aspectRatio', path: aspectRatio, value })
  }
  if (isSet(seed)) requirements.push({ kind: 'seed', path: seed })
  // Only a boolean that is known to be true is a requirement.
  if (isSet(transparency) && isKnown(transparency) && params[transparency] === true)
    requirements.push({ kind: 'transparency', path: transparency })
  if (isSet(scale)) requirements.push({ kind: 'scale', path: scale, value: numberOf(scale) })
  const [prompted] = [prompt, schema].filter(isSet)
  if (prompted !== undefined) requirements.push({ kind: 'prompt', path: prompted })
  if (names.images !== undefined && images) requirements.push({ kind: 'images', path: names.images, value: images })
  return requirements
}
