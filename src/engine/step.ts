/** One step: gather its inputs, decide whether it runs, render what is left, run the operation. */
import { Fault, failure } from '../errors.ts'
import type { OperationContext, Picture } from '../operations/define.ts'
import { isTruthy } from './check.ts'
import type { PlannedStep } from './plan.ts'
import { type Scope, TemplateProblem } from './template.ts'
import { resolve } from './values.ts'

/** What a step hands to its readers. */
export interface StepResult {
  /** None only when it was skipped and had nothing to hand on. */
  image: Picture | undefined
  /** For templates: width, height, format, and what the operation declares. */
  values: Record<string, unknown>
  skipped: boolean
}

/** `results` holds those of all the nodes that it needs. Throws a `Fault` that names the node. */
export async function runStep(
  { node, action, params }: PlannedStep,
  results: ReadonlyMap<string, StepResult>,
  parameters: Scope,
  context: OperationContext,
): Promise<StepResult> {
  const { operation } = node
  try {
    const inputs = Object.fromEntries(
      Object.entries(operation.inputs).map(([name, { many }]) => {
        const pictures = (node.inputs[name] ?? []).flatMap((source) => results.get(source)?.image ?? [])
        return [name, many ? pictures : pictures[0]]
      }),
    )
    const starved = Object.entries(operation.inputs).some(
      ([name, { required }]) =>
        required && (inputs[name] === undefined || (Array.isArray(inputs[name]) && inputs[name].length === 0)),
    )
    const scope = { ...parameters, nodes: Object.fromEntries([...results].map(([id, result]) => [id, result.values])) }
    if (action === 'skip' || starved || !wanted(node.when, scope)) return handOn(node, results)

    const { image, ...values } = await operation.run(inputs as never, params ?? render(node, scope), context)
    return { image, values: { ...factsOf(image), ...values }, skipped: false }
  } catch (error) {
    throw locate(error, node.id, operation.id)
  }
}

function wanted(when: PlannedStep['node']['when'], scope: Scope): boolean {
  return typeof when === 'boolean' ? when : isTruthy(when.evaluate(scope))
}

function render(node: PlannedStep['node'], scope: Scope): Record<string, unknown> {
  const at = `nodes.${node.id}.params`
  const { resolved, issues, overLimit } = resolve(node.params, node.operation.params, node.checkParams, scope, at)
  const [first] = issues
  if (first === undefined) return resolved
  throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', `${first.path} ${first.message}`, { issues })
}

/** Its values are there as nothing, so that templates that name them still render. */
function handOn({ inputs, operation }: PlannedStep['node'], results: ReadonlyMap<string, StepResult>): StepResult {
  const [first] = Object.values(inputs).flat()
  const image = first === undefined ? undefined : results.get(first)?.image
  const none = Object.fromEntries(Object.keys(operation.outputs.values ?? {}).map((name) => [name, null]))
  return { image, values: { ...none, ...factsOf(image) }, skipped: true }
}

function factsOf(image: Picture | undefined): Record<string, unknown> {
  return { width: image?.width ?? null, height: image?.height ?? null, format: image?.format ?? null }
}

function locate(error: unknown, node: string, operation: string): Fault {
  if (error instanceof TemplateProblem) {
    return locate(
      failure(error.overLimit ? 'limit_exceeded' : 'input_invalid', `nodes.${node}.when ${error.message}`),
      node,
      operation,
    )
  }
  const known = error instanceof Fault && error.code === 'workflow_failed'
  const fault = known ? error : failure('internal', `The operation ${operation} failed unexpectedly.`, { cause: error })
  return new Fault('workflow_failed', fault.message, { ...fault.details, node, operation }, { cause: fault.cause })
}
