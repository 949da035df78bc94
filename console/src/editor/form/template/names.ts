/** The names that a template can use: parameters, `item` and `index`, and values of nodes. */
import { brandName } from '../../../../../shared/brand.ts'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import type { BrandValues } from '../../../api/brand.ts'
import { type Catalogue, operationOf } from '../../../api/operations.ts'
import type { Operation } from '../../../api/types.ts'
import type { Parameter, WorkflowDocument, WorkflowNode } from '../../../api/workflow-document.ts'
import { listOrigins, nodesOf } from '../../document/wires.ts'
import type { JsonSchema } from '../schema.ts'
import { isEditable } from '../schema-editor/kinds.ts'
import { schemaOfOnly, typeOf } from './fields.ts'

export interface TemplateName {
  /** Name as written in templates: `headline`, `nodes.photo.width`. */
  name: string
  /** The type: `text`, `number`, `list`. */
  type: string
  description: string
  /** Schema of a value with fields or items. */
  schema?: ValueSchema
}

/** Known values of nodes, from the last run. */
export type NodeValues = ReadonlyMap<string, Readonly<Record<string, unknown>>>

const imageValues: Record<string, JsonSchema> = {
  width: { type: 'integer', description: 'Width in pixels.' },
  height: { type: 'integer', description: 'Height in pixels.' },
  format: { type: 'string', description: 'Format of the source file. `raw` for an image that an operation made.' },
}

const cache = new WeakMap<WorkflowDocument, Map<string, readonly TemplateName[]>>()

/** The names for the templates of `node`; undefined for the output. Computed once per document. */
export function namesFor(
  document: WorkflowDocument,
  catalogue: Catalogue,
  node: string | undefined,
): readonly TemplateName[] {
  const ofDocument = cache.get(document) ?? new Map<string, readonly TemplateName[]>()
  cache.set(document, ofDocument)
  const cacheKey = `${catalogue.size} ${node ?? ''}`
  const names = ofDocument.get(cacheKey) ?? findNames(document, catalogue, node)
  ofDocument.set(cacheKey, names)
  return names
}

function findNames(document: WorkflowDocument, catalogue: Catalogue, node: string | undefined): TemplateName[] {
  const parameters = (document.parameters ?? []).map(parameterName)
  const lists = listOrigins(document, catalogue)
  const later = node === undefined ? new Set<string>() : dependentsOf(document, node)
  const values = Object.entries(document.nodes)
    .filter(([id]) => id !== node && !later.has(id))
    .flatMap(([id, node]) => {
      const { params } = node
      const values = valuesOf(catalogue, node)
      // Of a list, it is a list of values.
      const structured = lists.has(id) ? undefined : structuredName(id, params, operationOf(catalogue, node))
      const schemas = !lists.has(id)
        ? values
        : { ...values, count: { type: 'integer', description: 'Number of images.' } }
      const plain = Object.entries(schemas).map(([value, schema]) => ({
        name: `nodes.${id}.${value}`,
        type: typeWord(schema),
        description: schema.description ?? '',
      }))
      if (structured === undefined) return plain
      const others = plain.filter(({ name }) => name !== structured.name)
      return structured.schema ? [...others, structured] : others
    })
  const origin = node === undefined ? undefined : originOf(document, node, lists)
  const item = origin === undefined ? [] : itemNames(document.nodes[origin]?.each, [...parameters, ...values])
  return [...parameters, ...item, ...values]
}

/** The value whose schema is a param of the node. It exists only with the param. */
function structuredName(id: string, params: WorkflowNode['params'], operation: Operation | undefined) {
  const { structured } = operation?.outputs ?? {}
  if (structured === undefined) return undefined
  const schema = params?.[structured.param]
  const name = `nodes.${id}.${structured.value}`
  if (!isEditable(schema)) return { name, type: 'any', description: '' }
  return { name, type: typeOf(schema), description: schema.description ?? '', schema }
}

function parameterName({ name, type, format, schema, description = '' }: Parameter): TemplateName {
  if (format === 'json') return { name, type: typeOf(schema), description, ...(schema && { schema }) }
  return { name, type: format === 'boolean' ? 'boolean' : type === 'string' ? 'text' : type, description }
}

/** The node whose `each` has the items that the node runs over: its own, or that of the list that it is connected to. */
export function originOf(
  { nodes }: WorkflowDocument,
  node: string,
  lists: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  return nodes[node]?.each === undefined ? lists.get(node)?.values().next().value : node
}

function itemNames(each: unknown, names: readonly TemplateName[]): TemplateName[] {
  const schema = schemaOfOnly(each, names)?.items
  const item = { name: 'item', type: typeOf(schema), description: 'The current value of the list.' }
  return [
    { ...item, ...(schema && { schema }) },
    { name: 'index', type: 'number', description: 'Position in the list: 0, 1, 2, ...' },
  ]
}

/** The name of the brand values, whose fields they are. Without a schema until they are loaded. */
export function brandNameOf(values: BrandValues | undefined): TemplateName {
  const name = { name: brandName, type: 'fields', description: 'Colours, fonts, images and texts of the brand.' }
  if (values === undefined) return name
  const properties = Object.fromEntries(
    Object.entries(values).map(([brandValue, { type, value, description = '' }]) => [
      brandValue,
      { type: 'string' as const, description: description || `${brandWords[type]}: ${value}` },
    ]),
  )
  return { ...name, schema: { type: 'object', properties, additionalProperties: false } }
}

const brandWords = { color: 'Colour', font: 'Font', image: 'Image', text: 'Text' }

/** The schemas of the values that a node outputs in addition to its image. */
export function valuesOf(
  catalogue: Catalogue,
  node: Pick<WorkflowNode, 'type' | 'workflow'>,
): Record<string, JsonSchema> {
  const operation = operationOf(catalogue, node)
  if (operation === undefined) return {}
  const { image, values } = operation.outputs
  return { ...(image === null ? {} : imageValues), ...(values as Record<string, JsonSchema>) }
}

/** Nodes that depend on this one by wire. Using their values would be a cycle. */
function dependentsOf({ nodes }: WorkflowDocument, node: string): Set<string> {
  const found = new Set<string>()
  const waiting = [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [id, { inputs = {} }] of Object.entries(nodes)) {
      if (found.has(id) || !Object.values(inputs).flatMap(nodesOf).includes(next)) continue
      found.add(id)
      waiting.push(id)
    }
  }
  return found
}

function typeWord({ type, enum: options }: JsonSchema): string {
  const [first] = typeof type === 'string' ? [type] : (type ?? [typeof options?.[0]])
  const words: Record<string, string> = { string: 'text', integer: 'number', array: 'list' }
  return words[first ?? ''] ?? first ?? 'any'
}
