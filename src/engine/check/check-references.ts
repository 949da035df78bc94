/** Checks the names in templates: declared parameters, values of nodes, and the fields of values with a schema. */
import Type, { type TSchema } from 'typebox'
import { brandName, unnamedBrandValue } from '../../../shared/brand.ts'
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { similarNames } from '../../../shared/suggest.ts'
import { itemNames, type KnownNames, problemOfName } from '../../../shared/template/check-name.ts'
import { withName } from '../../../shared/template/corrections.ts'
import { readField } from '../../../shared/template/fields.ts'
import { unknownNode } from '../../../shared/template/names.ts'
import type { Reference } from '../../../shared/template/template.ts'
import { show } from '../../../shared/text.ts'
import { joinPath } from '../../domain/validate.ts'
import type { ParameterDeclaration, WorkflowDocument, WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Fix, Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import type { Lists } from './lists.ts'
import { givesImage } from './wires.ts'

/** The names that templates can use. */
export interface Names {
  document: WorkflowDocument
  operations: ReadonlyMap<string, Operation>
  lists: Lists
  /** Node -> the schema of its structured value. */
  results: ReadonlyMap<string, ValueSchema>
}

/** `node`: the node of the templates; set if they may read `item` and `index`. `item`: the schema of `item`, if it is known. */
export function checkReferences(
  found: readonly Reference[],
  { at, text }: { at: string; text: string },
  names: Names,
  { node, item }: { node?: string | undefined; item?: ValueSchema | undefined } = {},
): Issue[] {
  if (found.length === 0) return []
  const { document, operations, lists } = names
  const known: KnownNames = {
    parameters: (document.parameters ?? []).map(({ name }) => name),
    hasItem: node !== undefined && lists.has(node),
    valuesOf(id) {
      if (!Object.hasOwn(document.nodes, id)) return { problem: unknownNode(id, Object.keys(document.nodes)) }
      const operation = operations.get(id)
      return operation && Object.keys(valuesOf(operation, lists.has(id)))
    },
  }
  const issues: Issue[] = []
  for (const reference of found) {
    if (issues.length >= limits.issuesMax) break
    const message = problemOf(reference)
    if (message !== undefined) issues.push({ path: at, message, ...fixOf(reference) })
  }
  return issues

  /** The template with a similar name. */
  function fixOf(reference: Reference): { fix?: Fix } {
    const [name, known] = nameOf(reference)
    const [likely] = similarNames(name.at(-1) ?? '', known)
    if (likely === undefined) return {}
    return { fix: { value: withName(text, name.join('.'), [...name.slice(0, -1), likely].join('.')) } }
  }

  /** The first part of the name that isn't known, with the parts before it, and the known names in its place. */
  function nameOf(reference: Reference): [name: string[], known: readonly string[]] {
    if (reference.kind === 'parameter') {
      const { name, rest } = reference
      const schema = name === 'item' ? item : schemaOfName(reference, names)
      if (known.parameters.includes(name) || (name === 'item' && known.hasItem)) return fieldOf([name], schema, rest)
      return [[name], [...known.parameters, ...(known.hasItem ? itemNames : [])]]
    }
    const values = known.valuesOf(reference.node)
    if (values === undefined || 'problem' in values) return [['nodes', reference.node], Object.keys(document.nodes)]
    const path = ['nodes', reference.node, reference.value]
    return values.includes(reference.value)
      ? fieldOf(path, schemaOfName(reference, names), reference.rest)
      : [path, values]
  }

  function problemOf(reference: Reference): string | undefined {
    if (reference.kind === 'value')
      return (
        problemOfName(reference, known) ?? problemOfStructured(reference, names) ?? problemOfField(reference, names)
      )
    const { name, rest } = reference
    if (name === brandName) return problemOfBrand(reference)
    const isItem = name === 'item' && !known.parameters.includes(name)
    return (
      problemOfName(reference, known) ??
      (isItem ? readField(name, item, rest).problem : problemOfField(reference, names))
    )
  }
}

/** A structured value exists only with the param that has its schema. */
function problemOfStructured(
  reference: Reference & { kind: 'value' },
  { document, operations }: Names,
): string | undefined {
  const { node, value } = reference
  const structured = operations.get(node)?.outputs.structured
  if (structured?.value !== value || hasParam(document.nodes[node], structured.param)) return undefined
  return `uses the value ${show(value)} of node ${show(node)}, which needs the param ${show(structured.param)} of that node`
}

function problemOfBrand({ rest: [name, ...fields] }: Reference): string | undefined {
  if (typeof name !== 'string') return unnamedBrandValue
  return readField(joinPath(brandName, name), { type: 'string' }, fields).problem
}

function problemOfField(reference: Reference, names: Names): string | undefined {
  const name = reference.kind === 'parameter' ? reference.name : `nodes.${reference.node}.${reference.value}`
  return readField(name, schemaOfName(reference, names), reference.rest).problem
}

/** The first field of a value that its schema doesn't have. */
function fieldOf(
  path: string[],
  schema: ValueSchema | undefined,
  [field, ...rest]: Reference['rest'],
): [string[], string[]] {
  const known = Object.keys(schema?.properties ?? {})
  if (field === undefined) return [path, []]
  const inner = schema?.properties?.[field] ?? schema?.items
  const isKnown = typeof field === 'number' || known.length === 0 || known.includes(field)
  return isKnown ? fieldOf([...path, `${field}`], inner, rest) : [[...path, field], known]
}

/** The schema of what a template reads; undefined if it isn't known. */
export function schemaOfReference(reference: Reference, names: Names): ValueSchema | undefined {
  const read = readField('', schemaOfName(reference, names), reference.rest)
  return read.problem === undefined ? read.schema : undefined
}

/** The schema that a reference names, without the fields after the name. */
function schemaOfName(reference: Reference, { document, operations, lists, results }: Names): ValueSchema | undefined {
  if (reference.kind === 'parameter') {
    if (reference.name === brandName) return undefined
    const declaration = document.parameters?.find(({ name }) => name === reference.name)
    return declaration && schemaOfParameter(declaration)
  }
  const operation = operations.get(reference.node)
  // For a list the type depends on the item: only rendering shows it.
  if (operation === undefined || lists.has(reference.node)) return undefined
  if (operation.outputs.structured?.value === reference.value) return results.get(reference.node)
  const known = valuesOf(operation, false)
  return Object.hasOwn(known, reference.value) ? scalarOf(known[reference.value] as TSchema) : undefined
}

function hasParam(node: WorkflowNode | undefined, name: string): boolean {
  return Object.hasOwn(node?.params ?? {}, name)
}

/** The schema of the value that templates see. */
function schemaOfParameter(declaration: ParameterDeclaration): ValueSchema | undefined {
  if (declaration.type === 'number') return { type: 'number' }
  if (declaration.format === 'json') return declaration.schema
  return { type: declaration.format === 'boolean' ? 'boolean' : 'string' }
}

/** The properties of text, numbers and booleans are known. Those of the lists and objects of operations only rendering shows. */
function scalarOf({ type }: { type?: string }): ValueSchema | undefined {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? { type } : undefined
}

/** The values of every image, next to those of the operation. */
const imageValues = { width: Type.Integer(), height: Type.Integer(), format: Type.String() }

function valuesOf(operation: Operation, isList: boolean): Record<string, TSchema> {
  return {
    ...(givesImage(operation) ? imageValues : {}),
    ...operation.outputs.values,
    ...(isList ? { count: Type.Integer() } : {}),
  }
}
