/** Checks the names in templates: declared parameters, and values of nodes. */
import Type, { type TSchema } from 'typebox'
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import { onlyWithEach, unknownNode, unknownParameter, unknownValue } from '../../../shared/template/names.ts'
import type { Reference } from '../../../shared/template/template.ts'
import { list, show } from '../../../shared/text.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import { itemNames, type Lists } from './lists.ts'
import { givesImage } from './wires.ts'

/** `node`: the node of the templates; set if they may read `item` and `index`. */
export function checkReferences(
  found: Reference[],
  at: string,
  document: WorkflowDocument,
  operations: ReadonlyMap<string, Operation>,
  lists: Lists,
  node: string | undefined,
): Issue[] {
  const declared = (document.parameters ?? []).map((parameter) => parameter.name)
  const issues: Issue[] = []
  for (const reference of found) {
    if (issues.length >= limits.issuesMax) break
    issues.push(...issuesOf(reference))
  }
  return issues

  function issuesOf(reference: Reference): Issue[] {
    if (reference.kind === 'parameter') {
      const { name, rest } = reference
      const declaration = (document.parameters ?? []).find((each) => each.name === name)
      if (declaration) return parameterIssues(declaration, rest, at)
      if (itemNames.includes(name)) {
        if (node !== undefined && lists.has(node)) return []
        return [{ path: at, message: onlyWithEach(name) }]
      }
      return [{ path: at, message: unknownParameter(name, declared) }]
    }
    if (!Object.hasOwn(document.nodes, reference.node)) {
      return [{ path: at, message: unknownNode(reference.node, Object.keys(document.nodes)) }]
    }
    const operation = operations.get(reference.node)
    if (operation === undefined) return []
    const isList = lists.has(reference.node)
    const ofImage: Record<string, TSchema> = {
      ...(givesImage(operation) ? imageValues : {}),
      ...operation.outputs.values,
    }
    const schemas = isList ? { ...ofImage, count: Type.Integer() } : ofImage
    const values = Object.keys(schemas)
    const schema = Object.hasOwn(schemas, reference.value) ? schemas[reference.value] : undefined
    // For a list the type depends on the item: only rendering shows it.
    if (schema && isList) return []
    if (schema) return propertyIssues(`nodes.${reference.node}.${reference.value}`, schema, reference.rest, at)
    return [{ path: at, message: unknownValue(reference.value, reference.node, values) }]
  }
}

function parameterIssues(declaration: ParameterDeclaration, rest: Reference['rest'], at: string): Issue[] {
  const { name, type } = declaration
  if (type === 'number') return propertyIssues(name, Type.Unsafe({ type }), rest, at)
  if (declaration.format === 'boolean') return propertyIssues(name, Type.Unsafe({ type: 'boolean' }), rest, at)
  if (declaration.format !== 'json') return propertyIssues(name, Type.Unsafe({ type }), rest, at)
  return fieldIssues(name, declaration.schema, rest, at)
}

/** A field that a value of this schema can't have. */
function fieldIssues(
  name: string,
  schema: ValueSchema | undefined,
  [field, ...rest]: Reference['rest'],
  at: string,
): Issue[] {
  if (schema === undefined || field === undefined) return []
  const inner = `${name}.${field}`
  if (schema.type === 'object') {
    const { properties = {}, additionalProperties = true } = schema
    if (Object.hasOwn(properties, field)) return fieldIssues(inner, properties[field], rest, at)
    if (additionalProperties || field === 'size') return []
    const names = Object.keys(properties)
    const hint = didYouMean(String(field), names) || `It has ${list(names)}.`
    return [{ path: at, message: `uses ${show(inner)}, which the schema of the parameter doesn't have. ${hint}` }]
  }
  if (schema.type !== 'array') return propertyIssues(name, Type.Unsafe({ type: schema.type }), [field, ...rest], at)
  const isItem = typeof field === 'number' || field === 'first' || field === 'last'
  return isItem ? fieldIssues(inner, schema.items, rest, at) : []
}

/** The values of every image, next to those of the operation. */
const imageValues = { width: Type.Integer(), height: Type.Integer(), format: Type.String() }

/**
 * The properties of text, numbers and booleans are known. Those of lists and objects are known only when the template is
 * rendered.
 */
function propertyIssues(name: string, schema: TSchema, rest: Reference['rest'], at: string): Issue[] {
  const [property] = rest
  const { type } = schema as { type?: string }
  const allowed = type === 'string' ? ['size', 'first', 'last'] : []
  if (property === undefined || type === 'array' || type === 'object' || type === undefined) return []
  if (rest.length === 1 && allowed.includes(String(property))) return []
  const has = allowed.length > 0 ? `has only ${list(allowed)}` : 'has no properties'
  return [{ path: at, message: `uses ${show(rest.join('.'))} of ${show(name)}, which is a ${type} and ${has}` }]
}
