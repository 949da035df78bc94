/** The parts of a run that its outputs need. */
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { orAbort } from '../../domain/abortable.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type { NamedOutputSettings } from '../../domain/workflows/outputs.ts'
import { failure, issueSentence } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { OperationContext } from '../../operations/define.ts'
import type { FileSettings } from '../cache/file-keys.ts'
import type { Identity } from '../cache/key.ts'
import type { StepReuse } from '../cache/ports.ts'
import { inPiece } from '../check/template-work.ts'
import { namedNodes } from '../check/wires.ts'
import { type Plan, type PlannedOutput, resolveOutput } from '../plan/plan.ts'
import type { StepResult } from '../plan/step-result.ts'
import { placedScope } from '../plan/template-scopes.ts'
import type { FileStore } from './file-store.ts'
import type { Encode, EncodedImage, NamedOutputPorts } from './output-ports.ts'
import type { PixelShare } from './pixel-budget.ts'
import type { Scheduler } from './scheduler.ts'
import type { SignedOutput } from './sign-output.ts'

export interface OutputRun {
  plan: Plan
  scheduler: Scheduler
  budget: TemplateBudget
  context: OperationContext
  share: PixelShare
  activity: AttemptActivity
  reuse: StepReuse | undefined
  startMs: number
  encode: Encode
  /** Signs a file, if the run can. */
  sign: SignFile | undefined
  /** Undefined if the run makes only the primary output. */
  named: NamedOutputPorts | undefined
  files: FileStore
  /** Runs work on large files, one after the other: several of them together would be hundreds of megabytes. */
  oneAtATime: InSlot
}

/** Runs work on the files of outputs in a slot of the run. */
export type InSlot = <Value>(work: () => Promise<Value>) => Promise<Value>

export type SignFile = (
  file: EncodedImage,
  image: ImageValue,
  about: { output: PlannedOutput['output']; file: FileSettings; encodedBytesMax: number | undefined },
) => Promise<SignedOutput>

export interface KnownOutput {
  settings: NamedOutputSettings
  /** Identities of its nodes; undefined without keys. */
  identities: Identity[] | undefined
}

/** The settings of an output, and the identities of its nodes, as soon as both are known. */
export async function findOut(planned: PlannedOutput, run: OutputRun): Promise<KnownOutput> {
  const { scheduler, reuse, context } = run
  const { nodes } = planned.output
  const ids = [...new Set(nodes)]
  const values = namedNodes(planned.output.settings.references)
  // Without stored results, the images are certainly needed. Concurrently, like branches.
  if (reuse?.cache === undefined && reuse?.checkpoints === undefined)
    for (const id of ids) scheduler.resultOf(id).catch(() => undefined)
  else if (values.length > 0 || !(await areStatic(ids, scheduler)))
    for (const id of [...ids, ...values]) void scheduler.startAhead(id)
  const [identities, settings] = await orAbort(
    Promise.all([identitiesOf(nodes, run), settingsOf(planned, values, run)]),
    context.signal,
  )
  return { settings, identities }
}

async function areStatic(ids: readonly string[], scheduler: Scheduler): Promise<boolean> {
  for (const id of ids) if ((await scheduler.staticIdentityOf(id)) === undefined) return false
  return true
}

async function identitiesOf(ids: readonly string[], { scheduler, reuse }: OutputRun): Promise<Identity[] | undefined> {
  if (reuse === undefined) return undefined
  const found = await Promise.all(ids.map((id) => scheduler.identityOf(id)))
  return found.includes(undefined) ? undefined : (found as Identity[])
}

async function settingsOf(planned: PlannedOutput, values: readonly string[], { plan, scheduler, budget }: OutputRun) {
  const results = await Promise.all(values.map(async (id) => [id, await scheduler.valuesOf(id)] as const))
  return renderOutput(planned, plan, new Map(results), budget)
}

/** `results`: of the nodes that the settings name. */
async function renderOutput(
  { output, settings }: PlannedOutput,
  plan: Plan,
  results: ReadonlyMap<string, StepResult>,
  total: TemplateBudget,
): Promise<NamedOutputSettings> {
  if (settings !== undefined) return settings as NamedOutputSettings
  const nodes = Object.fromEntries([...results].map(([id, result]) => [id, result.values]))
  const { resolved, issues, overLimit } = await inPiece(total, (budget) => {
    const scope = placedScope(output.place, { scope: plan.scope, nodes, budget })
    return resolveOutput(output, { scope, budget })
  })
  const [first] = issues
  if (first) throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', issueSentence(first), { issues })
  return resolved as NamedOutputSettings
}

export function portsOf({ named }: OutputRun): NamedOutputPorts {
  if (named === undefined) throw new Error('the run makes only the primary output')
  return named
}

/** The check prevents an output without an image, except for an empty list. */
export function imageOf({ image }: StepResult, node: string): ImageValue {
  if (image) return image
  throw failure(
    'input_invalid',
    `The output has no image, because the list of node "${node}" is empty. Pass at least one item.`,
  )
}
