/** Branches: of the nodes at the socket of a choice, only the one whose image it returns is needed. */

import { Fault, failure, type Issue, issueSentence } from '../../errors.ts'
import type { CheckedNode } from '../check/checked-workflow.ts'
import { namedNodes } from './dependencies.ts'
import type { PlannedStep } from './planned-step.ts'
import { isWanted, locate, type ResolveContext, resolveStep } from './resolve-step.ts'

/**
 * The node with the chosen node at each place of the socket, so that it needs no other; or what is wrong with the rendered
 * params. The node itself if it needs them all.
 */
export function narrowToBranch(
  node: CheckedNode,
  params: Record<string, unknown>,
): { node: CheckedNode; issue?: undefined } | { node?: undefined; issue: Issue } {
  const { choice } = node
  if (choice === undefined || params[choice.by.param] !== choice.by.value) return { node }
  const sources = node.inputs[choice.socket] ?? []
  const found = choice.issue(params, sources.length) ?? choice.place(params, sources.length)
  if (typeof found !== 'number')
    return { issue: { path: `nodes.${node.id}.params.${found.param}`, message: found.message } }
  return {
    node: withSources(
      node,
      sources.map(() => sources[found] ?? ''),
    ),
  }
}

/** Whether an undecided step that runs once is skipped, and which branch it needs. Throws a `TemplateProblem` of its `when`. */
export async function decideStep(planned: PlannedStep, context: ResolveContext): Promise<PlannedStep> {
  if (planned.node.choice) return decideBranch(planned, context)
  return { ...planned, action: (await isWanted(planned, context)) ? 'run' : 'skip' }
}

/** If this fails, the choice needs no branch, and running it throws the fault. */
async function decideBranch(planned: PlannedStep, context: ResolveContext): Promise<PlannedStep> {
  try {
    const { decisions } = await resolveStep(planned, context)
    const [params] = decisions
    if (params === undefined) return { ...planned, action: 'skip' }
    const { node, issue } = narrowToBranch(planned.node, params)
    if (issue) throw failure('input_invalid', issueSentence(issue), { issues: [issue] })
    return { node, action: 'run', params }
  } catch (error) {
    const fault = error instanceof Fault ? error : locate(error, planned)
    return { node: withSources(planned.node, []), action: 'run', params: {}, fault }
  }
}

function withSources(node: CheckedNode, sources: string[]): CheckedNode {
  const inputs = { ...node.inputs, [node.choice?.socket ?? '']: sources }
  const named = namedNodes([...node.params.references, ...(typeof node.when === 'boolean' ? [] : node.when.references)])
  return { ...node, inputs, needs: [...new Set([...Object.values(inputs).flat(), ...named])] }
}
