/** The schema of `item` in the templates of nodes that run over a list. */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import type { Reference } from '../../../shared/template/template.ts'
import type { CheckedNode } from './checked-workflow.ts'
import { type Lists, wiresOfOne } from './lists.ts'

/**
 * Node -> schema, for lists that are the value of a name, as in `each: "{{ people }}"`, and for the nodes that run over the same
 * list. In `order`, each node comes after the nodes that it reads.
 */
export function itemSchemas(
  order: readonly string[],
  nodes: ReadonlyMap<string, CheckedNode>,
  lists: Lists,
  schemaOf: (name: Reference) => ValueSchema | undefined,
): ReadonlyMap<string, ValueSchema> {
  const schemas = new Map<string, ValueSchema>()
  for (const id of order) {
    const node = nodes.get(id)
    if (node === undefined || !lists.has(id)) continue
    const schema = node.each ? itemsOf(node.each, schemaOf) : ofWires(node)
    if (schema) schemas.set(id, schema)
  }
  return schemas

  /** Schema of the items as when it runs: those of the first list that it is wired to. */
  function ofWires(node: CheckedNode): ValueSchema | undefined {
    const source = wiresOfOne(node).find((wire) => lists.has(wire))
    return source === undefined ? undefined : schemas.get(source)
  }
}

function itemsOf(
  { values, templates }: NonNullable<CheckedNode['each']>,
  schemaOf: (name: Reference) => ValueSchema | undefined,
): ValueSchema | undefined {
  const name = typeof values.each === 'string' ? templates[0]?.template.name : undefined
  return name && schemaOf(name)?.items
}
