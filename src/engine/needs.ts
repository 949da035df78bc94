/** What a step of a plan needs: by its wires, and by the values that its templates name. */
import type { Plan } from './plan.ts'
import type { PlannedStep } from './planned-step.ts'

/** Of one that is skipped, what it hands on. */
export function needsOf({ node, action }: PlannedStep): string[] {
  return action === 'skip' ? Object.values(node.inputs).flat().slice(0, 1) : node.needs
}

/** Nodes whose values its templates name. */
export function valueNeeds(step: PlannedStep): string[] {
  const { params, each, when } = step.node
  const references = [
    ...params.references,
    ...(each?.references ?? []),
    ...(typeof when === 'boolean' ? [] : when.references),
  ]
  if (step.action === 'skip') return []
  return [...new Set(references.flatMap((reference) => (reference.kind === 'value' ? [reference.node] : [])))]
}

/** Node -> how many steps need it. */
export function countReaders(steps: PlannedStep[]): Map<string, number> {
  const readers = new Map<string, number>()
  for (const id of steps.flatMap(needsOf)) readers.set(id, (readers.get(id) ?? 0) + 1)
  return readers
}

/** Nodes whose values the settings of the output name. */
export function outputValues({ workflow }: Plan): string[] {
  return workflow.output.settings.references.flatMap((each) => (each.kind === 'value' ? [each.node] : []))
}

/** Whether it does nothing but read bytes that are kept elsewhere. */
export function isSource({ node: { operation } }: PlannedStep): boolean {
  return operation.reads?.sources !== undefined && Object.keys(operation.inputs).length === 0
}
