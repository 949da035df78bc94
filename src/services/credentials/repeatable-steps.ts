/** The part of a plan that gives the same pixels each time: everything that doesn't depend on an AI model. */
import { type Graph, reachable } from '../../domain/graph.ts'
import type { OutputVariant } from '../../domain/workflows/outputs.ts'
import type { CheckedOutput } from '../../engine/check/checked-workflow.ts'
import { givesImage, namedNodes, readByOutputs } from '../../engine/check/wires.ts'
import { needsOf } from '../../engine/plan/dependencies.ts'
import type { Plan, PlannedOutput } from '../../engine/plan/plan.ts'
import type { PlannedStep } from '../../engine/plan/planned-step.ts'

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
  const hasOutput = readByOutputs(plan.workflow).every((id) => !modelBefore.has(id))
  return { hasOutput, modelBefore, targets: hasOutput ? [output] : lastBefore(steps, modelBefore) }
}

function lastBefore(steps: readonly PlannedStep[], modelBefore: ReadonlyMap<string, string>): string[] {
  const repeatable = steps.filter(({ node }) => !modelBefore.has(node.id))
  const graph = graphOf(repeatable)
  const images = repeatable.filter(({ node }) => givesImage(node.operation)).map(({ node }) => node.id)
  const read = new Set(images.flatMap((id) => [...reachable(graph, id)].filter((node) => node !== id)))
  return images.filter((id) => !read.has(id))
}

/** The plan whose output is this node. Each step has its own pixels: none is fused with another one. */
export function planTo(plan: Plan, target: string): Plan {
  const { output } = plan.workflow
  if (target === output.node) return { ...plan, fused: new Map() }
  const settings = { values: {}, templates: [], references: [], copyUnits: 0 }
  return narrowed(plan, { output: { ...output, node: target, nodes: [target], settings }, settings: {} })
}

/** The plan that makes only this file. Undefined if the workflow has no such output. */
export function planOfFile(plan: Plan, file: ({ name: string } & OutputVariant) | undefined): Plan | undefined {
  const planned = plan.outputs.find(({ output }) => output.name === file?.name)
  if (planned === undefined || planned.output.kind === 'pdf') return undefined
  return narrowed(plan, planned.output.kind === 'set' && file ? variantOf(planned, file) : planned)
}

/** An output that is only this file of a set. */
function variantOf({ output, settings }: PlannedOutput, { format, width }: OutputVariant): PlannedOutput {
  const valuesOfVariant = (values: Record<string, unknown>) => {
    const { widths: _widths, formats: _formats, format: _format, width: _width, ...rest } = values
    return { ...rest, ...(format && { format }), ...(width !== undefined && { width }) }
  }
  const templates = output.settings.templates.filter(({ keys: [name = ''] }) => !replaced.has(name))
  const references = templates.flatMap(({ template }) => template.references)
  const file: CheckedOutput = {
    ...output,
    kind: 'image',
    settings: { ...output.settings, values: valuesOfVariant(output.settings.values), templates, references },
  }
  return { output: file, settings: settings && valuesOfVariant(settings) }
}

const replaced: ReadonlySet<string> = new Set(['widths', 'formats', 'format', 'width'])

function narrowed(plan: Plan, planned: PlannedOutput): Plan {
  const { output } = planned
  const graph = graphOf(plan.steps)
  const needed = new Set(
    [output.node, ...namedNodes(output.settings.references)].flatMap((id) => [...reachable(graph, id)]),
  )
  const steps = plan.steps.map((step) => (needed.has(step.node.id) ? step : { ...step, action: 'unneeded' as const }))
  const workflow = { ...plan.workflow, output, outputs: [output] }
  return { ...plan, workflow, steps, fused: new Map(), outputs: [planned] }
}

function graphOf(steps: readonly PlannedStep[]): Graph {
  return new Map(steps.map((step) => [step.node.id, needsOf(step)]))
}
