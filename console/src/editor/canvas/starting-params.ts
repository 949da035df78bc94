/** Initial params for a new node, so that it makes an image immediately: required params without a default. */
import type { Operation } from '../../api/types.ts'

/** The size of a link card, which most drawn images are. */
const size: Readonly<Record<string, unknown>> = { width: 1200, height: 630 }
const groups: readonly string[] = ['source']
/** Params that have no useful initial value. */
const unknown: readonly string[] = ['source', 'svg']

interface ObjectSchema {
  required?: string[]
  properties?: Record<string, { default?: unknown } | undefined>
}

export function startingParams({ id, group, params, examples }: Operation): Record<string, unknown> | undefined {
  if (id === 'text') return { text: 'Your text', size: 72 }
  if (!groups.includes(group)) return undefined
  const { required = [], properties = {} } = params as ObjectSchema
  const example = examples[0]?.params ?? {}
  const started = required
    .filter((name) => properties[name]?.default === undefined && !unknown.includes(name))
    .flatMap((name): [string, unknown][] => {
      const value = name in size ? size[name] : example[name]
      return value === undefined ? [] : [[name, value]]
    })
  return started.length === 0 ? undefined : Object.fromEntries(started)
}
