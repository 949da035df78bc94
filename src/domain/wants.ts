/** What the params of a node want of a model, by which of them mean what. */
import type { Want } from './model.ts'

/** Params that want something that not every model can do; `images` is a socket. */
export interface WantNames {
  /** Width and height. */
  size?: readonly [string, string]
  aspectRatio?: string
  seed?: string
  /** A boolean. */
  transparency?: string
  scale?: string
  prompt?: string
  images?: string
}

/** `images`: how many there are; undefined where that is not known. `isKnown`: whether the value of a param is. */
export function wantsOf(
  names: WantNames,
  params: Readonly<Record<string, unknown>>,
  images: number | undefined,
  isKnown: (param: string) => boolean = () => true,
): Want[] {
  const wants: Want[] = []
  const given = (name: string | undefined): name is string => name !== undefined && params[name] !== undefined
  const numberOf = (name: string) => (isKnown(name) && typeof params[name] === 'number' ? params[name] : undefined)
  const { size = [], aspectRatio, seed, transparency, scale, prompt } = names
  const [path] = size.filter(given)
  if (path !== undefined) {
    const [width, height] = size.map(numberOf)
    const value = width !== undefined && height !== undefined ? { width, height } : undefined
    wants.push({ kind: 'size', path, value })
  }
  if (given(aspectRatio)) {
    const value = isKnown(aspectRatio) ? String(params[aspectRatio]) : undefined
    wants.push({ kind: 'aspectRatio', path: aspectRatio, value })
  }
  if (given(seed)) wants.push({ kind: 'seed', path: seed })
  // A truth that is not known yet may come out either way.
  if (given(transparency) && isKnown(transparency) && params[transparency] === true)
    wants.push({ kind: 'transparency', path: transparency })
  if (given(scale)) wants.push({ kind: 'scale', path: scale, value: numberOf(scale) })
  if (given(prompt)) wants.push({ kind: 'prompt', path: prompt })
  if (names.images !== undefined && images) wants.push({ kind: 'images', path: names.images, value: images })
  return wants
}
