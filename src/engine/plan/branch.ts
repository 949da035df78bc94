/** Branches: of the nodes at the socket of a choice, only the one whose image it returns is needed. */

import { Fault, failure, type Issue, issueSentence } from '../../errors.ts'
import type { CheckedNode } from '../check/checked-workflow.ts'
import { namedNodes } from '../check/wires.ts'
import { branchNeeds, decisionNeeds } from './dependencies.ts'
import type { PlannedStep } from './planned-step.ts'
import { isConditionTrue, type KnownStep, locate, type ResolveContext, resolveStep } from './resolve-step.ts'

/**
 * The node with the chosen node at each place of the socket, so that it needs no other; or the issue of the rendered params. The
 * node itself if its params don't choose an image.
 */
export function narrowToBranch(
  node: CheckedNode,
  params: Record<string, unknown>,
): { node: CheckedNode; issue?: undefined } | { node?: undefined; issue: Issue } {
  const { choice } = node
  if (choice === undefined || params[choice.by.param] !== choice.by.value) return { node }
  const sources = node.inputs[choice.socket] ?? []
  const found = choice.indexOf(params, sources.length)
  if (typeof found !== 'number')
    return { issue: { path: `nodes.${node.id}.params.${found.param}`, message: found.message } }
  const chosen = sources[found] ?? ''
  return {
    node: withSources(
      node,
      sources.map(() => chosen),
    ),
  }
}

interface DecisionContext extends Omit<ResolveContext, 'known'> {
  valuesOf(ids: string[]): Promise<ReadonlyMap<string, KnownStep>>
}

/**
 * Whether an undecided step that runs once is skipped, and which branch it needs. A choice whose decision fails needs no branch, and
 * running it throws the fault. Throws a `TemplateProblem` of any other `when`, and the errors of `valuesOf`.
 */
export async function decideStep(
  planned: PlannedStep,
  { valuesOf, ...context }: DecisionContext,
): Promise<PlannedStep> {
  const { node } = planned
  const known = await valuesOf(decisionNeeds(node))
  const runs = isConditionTrue(planned, { ...context, known })
  if (node.choice === undefined) return { ...planned, action: (await runs) ? 'run' : 'skip' }
  try {
    if (!(await runs)) return { ...planned, action: 'skip' }
  } catch (error) {
    return failing(planned, error)
  }
  const all = new Map([...known, ...(await valuesOf(branchNeeds(node)))])
  try {
    const { decisions } = await resolveStep(planned, { ...context, known: all })
    const [params = {}] = decisions
    const { node: narrowed, issue } = narrowToBranch(node, params)
    if (issue) throw failure('input_invalid', issueSentence(issue), { issues: [issue] })
    return { node: narrowed, action: 'run', params }
  } catch (error) {
    return failing(planned, error)
  }
}

function failing(planned: PlannedStep, error: unknown): PlannedStep {
  const fault = error instanceof Fault ? error : locate(error, planned)
  return { node: withSources(planned.node, []), action: 'run', params: {}, fault }
}

/** It reads no other images. */
function withSources(node: CheckedNode, sources: string[]): CheckedNode {
  const { inputs, params, when, choice } = node
  const inputNames = Object.keys(inputs).map((name) => [name, name === choice?.socket ? sources : []] as const)
  const named = namedNodes([...params.references, ...(typeof when === 'boolean' ? [] : when.references)])
  return { ...node, inputs: Object.fromEntries(inputNames), needs: [...new Set([...sources, ...named])] }
}
