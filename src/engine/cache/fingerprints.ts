/** Fingerprints: hashes of the work of steps that are known before anything runs. They show which steps a change affects. */

import { createPauses } from '../../domain/pauses.ts'
import type { CheckedNode } from '../check/checked-workflow.ts'
import { newTemplateBudget } from '../check/template-work.ts'
import type { Templated } from '../check/values.ts'
import { needsOf } from '../plan/dependencies.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { isStatic, resolveStep } from '../plan/resolve-step.ts'
import { staticScope } from '../plan/template-scopes.ts'
import { hashOf } from './key.ts'
import type { KeyContext } from './step-keys.ts'

/** 96 bits. */
const fingerprintChars = 24

/**
 * Fingerprints by node; not of unneeded ones. Equal fingerprints of a node mean the same settings, after defaults and
 * templates, and the same for every node that it depends on. They differ for another variation. Unlike keys, they don't
 * depend on results or on the bytes behind URLs.
 */
export async function fingerprintsOf(
  plan: Plan,
  variations: Pick<NonNullable<KeyContext['variations']>, 'of'> | undefined,
): Promise<Map<string, string>> {
  const budget = newTemplateBudget()
  const fingerprints = new Map<string, string>()
  const pauseIfDue = createPauses()
  for (const step of plan.steps) {
    await pauseIfDue()
    const { node, action } = step
    if (action === 'unneeded') continue
    // By socket, and without the names of nodes, as in keys.
    const inputs = Object.entries(node.inputs).map(([socket, ids]) => [
      socket,
      ...ids.map((id) => fingerprints.get(id)),
    ])
    const needs = needsOf(step).map((id) => fingerprints.get(id))
    if (action === 'skip') {
      fingerprints.set(node.id, hashOf({ skip: needs }).slice(0, fingerprintChars))
      continue
    }
    const { id: operation, version, deterministic } = node.operation
    const variation = deterministic === true ? undefined : variations?.of(node.id)
    const work = { operation, version, params: await workOf(step), variation, inputs, needs }
    fingerprints.set(node.id, hashOf(work).slice(0, fingerprintChars))
  }
  return fingerprints

  /** The rendered params; the templates and the parameters that they name, if rendering needs results of other nodes. */
  async function workOf(step: PlannedStep): Promise<unknown> {
    const { node, params } = step
    if (params && node.each === undefined && typeof node.when === 'boolean') return params
    if (isStatic(step)) {
      const resolved = await resolveStep(step, { known: new Map(), parameters: plan.scope, budget }).catch(
        () => undefined,
      )
      if (resolved) return [resolved.over?.items, resolved.decisions]
    }
    const when = typeof node.when === 'boolean' ? node.when : node.when.text
    const late = lateSources(node)
    return [source(node, node.params), node.each && source(node, node.each), when, params, ...(late ? [late] : [])]
  }

  function source({ place }: Pick<CheckedNode, 'place'>, { values, references }: Templated): unknown {
    const scope = staticScope(place, plan.scope)
    const names = references.flatMap((reference) => (reference.kind === 'parameter' ? [reference.name] : []))
    return [values, Object.fromEntries(names.map((name) => [name, scope[name]]))]
  }

  /** The params of workflows that wait for values of nodes. */
  function lateSources({ place }: CheckedNode): unknown {
    return place?.late.map((name) => {
      const late = place.frame.late.get(name)
      return late && [name, source(late, late.value), late.items]
    })
  }
}
