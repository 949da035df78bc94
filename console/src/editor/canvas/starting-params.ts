/** Initial params for a new node, so that it makes an image immediately: required params without a default. */
import type { Operation } from '../../api/types.ts'
import type { Size } from '../document/geometry.ts'

/** The size of a link card, which most drawn images are. */
const size: Readonly<Record<string, unknown>> = { width: 1200, height: 630 }
const groups: readonly string[] = ['source']
/** Params that have no useful initial value. */
const unknown: readonly string[] = ['source', 'svg']

/** The values that give a first image, whose handles do the rest. */
const starts: Readonly<Record<string, (source: Size | undefined) => Record<string, unknown> | undefined>> = {
  text: () => ({ text: 'Your text', size: 72 }),
  'smart-crop': () => size,
  rotate: () => ({ angle: 0 }),
  crop(source) {
    if (source === undefined) return undefined
    const [x, y] = [Math.round(source.width / 10), Math.round(source.height / 10)]
    return { x, y, width: source.width - 2 * x, height: source.height - 2 * y }
  },
  extend(source) {
    if (source === undefined) return undefined
    const space = Math.round(Math.min(source.width, source.height) / 10)
    return { top: space, right: space, bottom: space, left: space }
  },
  perspective(source) {
    if (source === undefined) return undefined
    const { width, height } = source
    const corner = (x: number, y: number) => ({ x, y })
    return {
      corners: {
        topLeft: corner(0, 0),
        topRight: corner(width, 0),
        bottomRight: corner(width, height),
        bottomLeft: corner(0, height),
      },
    }
  },
}

interface ObjectSchema {
  required?: string[]
  properties?: Record<string, { default?: unknown } | undefined>
}

/**
 * `source`: the size of the image that the node gets, or is placed over; undefined if it has none, or it is not known. `isOver`: it is
 * placed over another image. A gradient then darkens the image for a text, and others are as small as in their example.
 */
export function startingParams(
  operation: Operation,
  source?: Size,
  isOver = false,
): Record<string, unknown> | undefined {
  const { id, group, params, examples } = operation
  const start = starts[id]?.(source)
  if (start !== undefined) return start
  if (isOver && id === 'gradient') return { ...size, ...source, from: '#0000', to: '#000b' }
  if (!groups.includes(group)) return undefined
  const { required = [], properties = {} } = params as ObjectSchema
  const example = examples[0]?.params ?? {}
  const started = required
    .filter((name) => properties[name]?.default === undefined && !unknown.includes(name))
    .flatMap((name): [string, unknown][] => {
      const value = name in size && !isOver ? size[name] : example[name]
      return value === undefined ? [] : [[name, value]]
    })
  return started.length === 0 ? undefined : Object.fromEntries(started)
}
