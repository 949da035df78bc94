/** The dependencies of a step: by wires, and by the values that its templates read. */

import type { CheckedNode } from '../check/checked-workflow.ts'
import { namedNodes, passedOn } from '../check/wires.ts'
import type { PlannedStep } from './planned-step.ts'

/** The dependency of a skipped node: the node whose image it passes on. */
export function needsOf({ node, action }: PlannedStep): string[] {
  return action === 'skip' ? passedOn(node) : node.needs
}

/** The dependencies that are certain before it is decided whether it runs. */
export function firstNeedsOf(step: PlannedStep): string[] {
  if (step.action !== 'decide') return needsOf(step)
  const decisive = decisionNeeds(step.node)
  // A choice passes on its first image if it is skipped, and may need another one if it runs.
  if (step.node.choice) return decisive.length > 0 ? decisive : branchNeeds(step.node)
  return [...new Set([...passedOn(step.node), ...decisive])]
}

/** Nodes whose values say what it runs over, and whether it does. */
export function decisionNeeds({ each, when }: CheckedNode): string[] {
  return namedNodes([...(each?.references ?? []), ...(typeof when === 'boolean' ? [] : when.references)])
}

/** Nodes whose values say which of its images a choice returns, if it runs. */
export function branchNeeds({ choice, params }: CheckedNode): string[] {
  return choice ? namedNodes(params.references) : []
}

/** Nodes whose values its templates name. */
export function valueNeeds(step: PlannedStep): string[] {
  if (step.action === 'skip') return []
  return [...new Set([...namedNodes(step.node.params.references), ...decisionNeeds(step.node)])]
}

/** Whether it does nothing but read bytes that are kept elsewhere. */
export function isSource({ node: { operation } }: PlannedStep): boolean {
  return operation.reads?.sources !== undefined && Object.keys(operation.inputs).length === 0
}
