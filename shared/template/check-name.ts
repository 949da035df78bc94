/** The check of a name that a template reads: the same rules in the service and in the console. */
import { onlyWithEach, unknownParameter, unknownValue } from './names.ts'
import type { Reference } from './template.ts'

/** The names in the templates of a node that runs once for each item: the value of the item, and its index from 0. */
export const itemNames = ['item', 'index']

/** The names that a template can read. The service finds them in the checked document, the console in its menu of names. */
export interface KnownNames {
  parameters: readonly string[]
  /** Whether `item` and `index` exist. */
  hasItem: boolean
  /** The values of a node, undefined if they aren't known, or the problem if templates can't read the node. */
  valuesOf(node: string): readonly string[] | undefined | { problem: string }
}

/** The problem of the name itself, without the fields after it; `readField` checks those. */
export function problemOfName(reference: Reference, names: KnownNames): string | undefined {
  if (reference.kind === 'parameter') {
    const { name } = reference
    if (names.parameters.includes(name)) return undefined
    if (!itemNames.includes(name)) return unknownParameter(name, names.parameters)
    return names.hasItem ? undefined : onlyWithEach(name)
  }
  const values = names.valuesOf(reference.node)
  if (values === undefined) return undefined
  if ('problem' in values) return values.problem
  return values.includes(reference.value) ? undefined : unknownValue(reference.value, reference.node, values)
}
