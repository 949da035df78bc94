/** The part of a plan that gives the same pixels each time: everything that doesn't depend on an AI model. */
import { type Graph, reachable } from '../domain/graph.ts'
import { givesImage } from '../engine/check/wires.ts'
import { needsOf, outputValues } from '../engine/plan/dependencies.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { PlannedStep } from '../engine/plan/planned-step.ts'

export interface RepeatableSteps {
  /** Whether the output is one of them. */
  hasOutput: boolean
  /** Node to the node whose model it depends on; itself for a step that calls one. */
  modelBefore: ReadonlyMap<string, string>
  /** The output, or the last steps before models: together with what they need, they are all. Each gives images. */
  targets: string[]
}

export function repeatableSteps(plan: Plan): RepeatableSteps {
  const modelBefore = new Map<string, string>()
  const steps = plan.steps.filter(({ action }) => action !== 'unneeded')
  // Each comes after those that it needs.
  for (const step of steps) {
    const { id, operation } = step.node
    const before = needsOf(step).find((need) => modelBefore.has(need))
    if (step.action !== 'skip' && operation.usesModel) modelBefore.set(id, id)
    else if (before !== undefined) modelBefore.set(id, modelBefore.get(before) ?? before)
  }
  const { node: output } = plan.workflow.output
  const hasOutput = [output, ...outputValues(plan)].every((id) => !modelBefore.has(id))
  return { hasOutput, modelBefore, targets: hasOutput ? [output] : lastBefore(steps, modelBefore) }
}

function lastBefore(steps: readonly PlannedStep[], modelBefore: ReadonlyMap<string, string>): string[] {
  const repeatable = steps.filter(({ node }) => !modelBefore.has(node.id))
  const graph = graphOf(repeatable)
  const images = repeatable.filter(({ node }) => givesImage(node.operation)).map(({ node }) => node.id)
  const read = new Set(images.flatMap((id) => [...reachable(graph, id)].filter((each) => each !== id)))
  return images.filter((id) => !read.has(id))
}

/** The plan whose output is this node. Each step has its own pixels: none is fused with another one. */
export function planTo(plan: Plan, target: string): Plan {
  if (target === plan.workflow.output.node) return { ...plan, fused: new Map() }
  const needed = reachable(graphOf(plan.steps), target)
  const steps = plan.steps.map((step) => (needed.has(step.node.id) ? step : { ...step, action: 'unneeded' as const }))
  const output = {
    ...plan.workflow.output,
    node: target,
    settings: { ...plan.workflow.output.settings, references: [] },
  }
  return { ...plan, workflow: { ...plan.workflow, output }, steps, fused: new Map(), outputSettings: {} }
}

function graphOf(steps: readonly PlannedStep[]): Graph {
  return new Map(steps.map((step) => [step.node.id, needsOf(step)]))
}
