/** The brand values that the templates of a workflow read. */
import { brandName, missingBrandValue } from '../../../shared/brand.ts'
import type { Reference } from '../../../shared/template/template.ts'
import type { UsedBrandValues } from '../../domain/accounts/brand.ts'
import { joinPath } from '../../domain/validate.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { BrandUse, CheckedNode, CheckedOutput, CheckedWorkflow } from './checked-workflow.ts'

/**
 * Each name once, with the first template that reads it, also in used workflows: as `nodes.card/title.params.color`. `nodes`: those that the outputs
 * need.
 */
export function brandUses(nodes: readonly CheckedNode[], outputs: readonly CheckedOutput[]): BrandUse[] {
  const uses = new Map<string, BrandUse>()
  const add = (path: string, references: readonly Reference[]) => {
    for (const reference of references) {
      if (reference.kind !== 'parameter' || reference.name !== brandName) continue
      const name = String(reference.rest[0])
      if (!uses.has(name)) uses.set(name, { name, path })
    }
  }
  for (const { id, params, each: node, when, used } of nodes) {
    const at = `nodes.${id}`
    // The settings of its outputs have no effect here.
    for (const { name, path } of used?.workflow.brandUses ?? [])
      if (path.startsWith('nodes.') && !uses.has(name)) uses.set(name, { name, path: path.replace('nodes.', `${at}/`) })
    for (const { path, template } of node?.templates ?? []) add(joinPath(at, path), template.references)
    if (typeof when !== 'boolean') add(`${at}.when`, when.references)
    for (const { path, template } of params.templates) add(joinPath(at, 'params', path), template.references)
  }
  for (const { at, settings } of outputs)
    for (const { path, template } of settings.templates) add(joinPath(at, path), template.references)
  return [...uses.values()]
}

/** The values that the workflow reads. */
export function usedBrandValues(
  { brandUses }: Pick<CheckedWorkflow, 'brandUses'>,
  known: UsedBrandValues,
): UsedBrandValues {
  return Object.fromEntries(brandUses.map(({ name }) => [name, known[name] ?? '']))
}

/** The uses of values that are not among `known`. */
export function missingBrandIssues({ brandUses }: Pick<CheckedWorkflow, 'brandUses'>, known: object): Issue[] {
  return brandUses
    .filter(({ name }) => !Object.hasOwn(known, name))
    .slice(0, limits.issuesMax)
    .map(({ name, path }) => ({ path, message: missingBrandValue(name, Object.keys(known)) }))
}
