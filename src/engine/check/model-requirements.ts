/** The requirements of a node on AI models, from its params and wires. */
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import type { Scope } from '../../../shared/template/template.ts'
import type { ModelRequirements, Models } from '../../domain/models/model.ts'
import { requirementsOf } from '../../domain/models/requirements.ts'
import { type Check, joinPath } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import type { CheckedNode } from './checked-workflow.ts'
import type { Lists } from './lists.ts'
import { newTemplateBudget } from './template-work.ts'
import { resolve, type TemplateAt } from './values.ts'

/** Undefined for an operation that calls no model. `images`: see `imagesOf`. `isKnown`: whether the value of a param is known. */
export function requirementsOfParams(
  { usesModel }: CheckedNode['operation'],
  params: Readonly<Record<string, unknown>>,
  images: number | undefined,
  isKnown: (param: string) => boolean = () => true,
): ModelRequirements | undefined {
  if (usesModel === undefined) return undefined
  const { model, fallback } = params
  const { schema } = usesModel.requirements
  return {
    capability: usesModel.capability,
    model: typeof model === 'string' ? model : undefined,
    fallback: Array.isArray(fallback) ? fallback.map(String) : undefined,
    requirements: requirementsOf(usesModel.requirements, params, images, isKnown),
    ...(schema !== undefined && params[schema] !== undefined && { isStructured: true }),
  }
}

/** How many images the model gets, without the mask; undefined if one of its inputs is a list of unknown length. */
export function imagesOf({ operation, inputs }: Pick<CheckedNode, 'operation' | 'inputs'>, lists: Lists) {
  const name = operation.usesModel?.requirements.images
  if (name === undefined) return undefined
  const sources = inputs[name] ?? []
  const takesLists = operation.inputs[name]?.many === true
  return takesLists && sources.some((source) => lists.has(source)) ? undefined : sources.length
}

/**
 * Requirements like `requirementsOfParams`, while some params are still templates: without the params whose templates
 * read more than `known`. Undefined if the model is one of them.
 */
export function partialRequirements(
  { operation, params, checkParams }: Pick<CheckedNode, 'operation' | 'params' | 'checkParams'>,
  images: number | undefined,
  known?: { scope: Scope; budget: TemplateBudget },
): ModelRequirements | undefined {
  const isReady = ({ template }: TemplateAt) =>
    template.references.every(
      (reference) => reference.kind === 'parameter' && Object.hasOwn(known?.scope ?? {}, reference.name),
    )
  const ready = known ? params.templates.filter(isReady) : []
  const waiting = params.templates.filter((template) => !ready.includes(template)).map(({ keys: [name = ''] }) => name)
  if (waiting.includes('model') || waiting.includes('fallback')) return undefined
  const budget = known?.budget ?? newTemplateBudget()
  const scope = known?.scope ?? {}
  const { resolved } = resolve({ ...params, templates: ready }, () => [], { scope, budget }, '')
  // This sets the defaults; its issues are reported elsewhere.
  checkParams(resolved)
  return requirementsOfParams(operation, resolved, images, (param) => !waiting.includes(param))
}

/** The requirements that no model meets, or not the named one, while some params are still templates. */
export function templatedRequirementIssues(node: CheckedNode, images: number | undefined, models: Models): Issue[] {
  const required = partialRequirements(node, images)
  return required ? issuesOf(required, node.operation, models, `nodes.${node.id}`) : []
}

/** Checks params by the schema, then the requirements that no model meets. */
export function withRequirementCheck(
  { id, operation, checkParams }: Pick<CheckedNode, 'id' | 'operation' | 'checkParams'>,
  images: number | undefined,
  models: Models,
): Check {
  return (params, at) => {
    const issues = checkParams(params, at)
    if (issues.length > 0) return issues
    const required = requirementsOfParams(operation, params as Record<string, unknown>, images)
    return required ? issuesOf(required, operation, models, `nodes.${id}`) : []
  }
}

function issuesOf(
  required: ModelRequirements,
  { usesModel }: CheckedNode['operation'],
  models: Models,
  at: string,
): Issue[] {
  return models.choose(required).issues.map(({ path, message }) => ({
    path: joinPath(at, path === usesModel?.requirements.images ? 'inputs' : 'params', path),
    message,
  }))
}
