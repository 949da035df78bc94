/** The C2PA manifest of an output: how its steps made it, and from which images. */
import type {
  Manifest,
  ManifestAction,
  ManifestActionName,
  ManifestIngredient,
} from '../../domain/credentials/credentials.ts'
import type { MadeFrom } from '../../domain/credentials/made-from.ts'
import type { Step } from '../../domain/executions/execution.ts'
import { digitalSourceType, digitalSourceTypes, type Origin, originOfSourceType } from '../../domain/images/origin.ts'
import type { Capability } from '../../domain/models/model.ts'
import { wiresOf } from '../../engine/cache/step-keys.ts'
import { firstWire } from '../../engine/check/lists.ts'
import { isSource } from '../../engine/plan/dependencies.ts'
import type { Plan } from '../../engine/plan/plan.ts'
import type { PlannedStep } from '../../engine/plan/planned-step.ts'

/** The action of an operation that declares none, by group. Undefined: it changes no image. */
const groupActions: Record<PlannedStep['node']['operation']['group'], ManifestActionName | undefined> = {
  source: 'c2pa.edited',
  ai: 'c2pa.edited',
  geometry: 'c2pa.edited',
  colour: 'c2pa.color_adjustments',
  filter: 'c2pa.filtered',
  combine: 'c2pa.edited',
  text: 'c2pa.drawing',
  analyse: undefined,
  animation: 'c2pa.edited',
}

export interface OutputFacts {
  title: string
  plan: Plan
  /** The node of the output. */
  node: string
  /** The records of the execution. */
  steps: readonly Step[]
  origin: Origin | undefined
  madeFrom: MadeFrom | undefined
  /** Ingredients by SHA-256 of the source. */
  ingredients: ReadonlyMap<string, ManifestIngredient>
  /** SHA-256 of the source that the output starts from. */
  opened: string | undefined
  execution: Record<string, unknown>
}

/**
 * The first action opens the source that the chain of first inputs starts from, or creates an image. Then each source is placed,
 * and each step that worked on the output follows in the order of work, with the model that made pixels.
 */
export function manifestOf({
  title,
  plan,
  node,
  steps,
  origin,
  madeFrom,
  ingredients,
  opened,
  execution,
}: OutputFacts): Manifest {
  const records = new Map(steps.map((step) => [step.node, step]))
  const worked = stepsOfOutput(plan, node).filter(({ node }) => records.get(node.id)?.status === 'completed')
  const base = baseOf(plan, node)
  // Without a match, the first source: the output is not a new image.
  const source = base && isSource(base) ? (ingredients.get(opened ?? '') ?? [...ingredients.values()][0]) : undefined
  const parent = source && { ...source, relationship: 'parentOf' as const }
  const components = [...ingredients.values()].filter(({ id }) => id !== parent?.id)
  const created = actionOf(base, records, madeFrom)
  const sourceType = origin === 'generated' ? digitalSourceTypes.generated : digitalSourceType('digitalCreation')
  const first: ManifestAction = parent
    ? { action: 'c2pa.opened', ingredientIds: [parent.id] }
    : { digitalSourceType: sourceType, ...created, action: 'c2pa.created' }
  const actions: ManifestAction[] = [
    first,
    ...components.map(({ id }): ManifestAction => ({ action: 'c2pa.placed', ingredientIds: [id] })),
    ...worked
      .filter((step) => step !== base && !isSource(step))
      .flatMap((step) => actionOf(step, records, madeFrom) ?? []),
  ]
  if (origin && !actions.some(({ digitalSourceType: type }) => type && originOfSourceType(type)))
    actions.push({
      action: 'c2pa.edited',
      digitalSourceType: digitalSourceTypes[origin],
      description: 'A source has pixels that a generative AI model made',
    })
  return { title, actions, ingredients: parent ? [parent, ...components] : components, execution }
}

/** Undefined for a step that changes no image. */
function actionOf(
  step: PlannedStep | undefined,
  records: ReadonlyMap<string, Step>,
  madeFrom: MadeFrom | undefined,
): ManifestAction | undefined {
  if (step === undefined) return undefined
  const { id, operation } = step.node
  const action = operation.action ?? groupActions[operation.group]
  if (action === undefined) return undefined
  const description = `${operation.title} (node ${id})`
  const stepOrigin = ownOrigin(step, records)
  if (stepOrigin === undefined) return { action, description }
  const model = modelOf(step, records.get(id), madeFrom)
  return {
    action,
    description,
    digitalSourceType: digitalSourceTypes[stepOrigin],
    ...(model === undefined ? {} : { softwareAgent: { name: model } }),
  }
}

/** The origin of the pixels that the step itself made with a model. */
function ownOrigin({ node }: PlannedStep, records: ReadonlyMap<string, Step>): Origin | undefined {
  const { usesModel, inputs } = node.operation
  if (usesModel === undefined) return undefined
  const { origin, calls } = records.get(node.id) ?? {}
  // A model of a provider that only selects leaves the image without an origin; local models call nothing.
  if (!generating.has(usesModel.capability) && (origin === undefined || calls === undefined)) return undefined
  // The record of a step that was not needed again has no origin.
  return origin ?? (Object.keys(inputs).length === 0 ? 'generated' : 'composite')
}

/** Capabilities that always make pixels. */
const generating: ReadonlySet<Capability> = new Set(['generate', 'edit', 'inpaint'])

function modelOf(
  { params }: PlannedStep,
  record: Step | undefined,
  madeFrom: MadeFrom | undefined,
): string | undefined {
  const called = record?.calls?.findLast(({ outcome }) => outcome === 'done')?.model
  if (called !== undefined) return called
  // The record of a step from the cache has no calls.
  const { models = [] } = madeFrom ?? {}
  return models.find((model) => model === params?.model) ?? (models.length === 1 ? models[0] : undefined)
}

/** The step that the chain of first inputs starts from, which ends at this node. */
export function baseOf({ steps }: Plan, node: string): PlannedStep | undefined {
  const byNode = new Map(steps.map((step) => [step.node.id, step]))
  let step = byNode.get(node)
  for (;;) {
    const before = step && byNode.get(firstWire(step.node) ?? '')
    if (before === undefined) return step
    step = before
  }
}

/** The steps that the image of a node comes from, each after those that it reads. */
function stepsOfOutput({ steps }: Plan, node: string): PlannedStep[] {
  const byNode = new Map(steps.map((step) => [step.node.id, step]))
  const found = new Set<string>()
  const visit = (id: string) => {
    const step = byNode.get(id)
    if (step === undefined || found.has(id)) return
    found.add(id)
    wiresOf(step).forEach(visit)
  }
  visit(node)
  return steps.filter(({ node }) => found.has(node.id))
}
