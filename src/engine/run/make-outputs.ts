/** Makes all outputs of a run at the same time: they share the results of the steps, and each file is encoded once. */
import { createFairQueue } from '../../domain/fair-queue.ts'
import { Fault } from '../../errors.ts'
import type { CheckedOutput } from '../check/checked-workflow.ts'
import type { PlannedOutput } from '../plan/plan.ts'
import { makeImages } from './image-output.ts'
import type { RunNamedOutput, RunOutput } from './output-ports.ts'
import type { InSlot, OutputRun } from './output-run.ts'
import { makePdf } from './pdf-output.ts'

export interface RunOutputs {
  output: RunOutput
  outputs: RunNamedOutput[]
}

/** Images of `outputs` that are encoded at the same time. The limit of image jobs bounds the actual work. */
const imagesAtOnce = 4

/** `onWarnings`: problems of the files of a node. Rejects with the first failure, when no output is being made any more. */
export async function makeOutputs(
  from: Omit<OutputRun, 'oneAtATime'>,
  onWarnings: (node: string, warnings: string[]) => void,
  onFailure: (error: unknown) => void,
): Promise<RunOutputs> {
  const { signal } = from.context
  const [primary, ...named] = from.plan.outputs
  const inSlot = slotsOf(signal, imagesAtOnce)
  const run: OutputRun = { ...from, oneAtATime: slotsOf(signal, 1) }
  const stopOthers = (error: unknown): never => {
    onFailure(error)
    throw error
  }
  const works = [
    makePrimary(primary, run, onWarnings).catch(stopOthers),
    ...named.map((output) =>
      makeNamed(output, run, inSlot, onWarnings).catch(locatedAt(output.output)).catch(stopOthers),
    ),
  ] as const
  await Promise.allSettled(works)
  const [output, ...outputs] = await Promise.all(works)
  return { output: output as RunOutput, outputs: outputs as RunNamedOutput[] }
}

function slotsOf(signal: AbortSignal, concurrency: number): InSlot {
  const queue = createFairQueue({ slots: concurrency })
  return (work) => queue.run({ signal }, work)
}

async function makePrimary(
  planned: PlannedOutput,
  run: OutputRun,
  onWarnings: (node: string, warnings: string[]) => void,
): Promise<RunOutput> {
  const { settings, files, warnings } = await makeImages(planned, run, (work) => work())
  const [file] = files
  if (file === undefined) throw new Error('the primary output has no file')
  if (warnings.length > 0) onWarnings(planned.output.node, warnings)
  return { ...file, name: settings.name }
}

async function makeNamed(
  planned: PlannedOutput,
  run: OutputRun,
  inSlot: InSlot,
  onWarnings: (node: string, warnings: string[]) => void,
): Promise<RunNamedOutput> {
  const { name: output = '', node, kind } = planned.output
  if (kind === 'pdf') {
    const { name, file } = await makePdf(planned, run, inSlot)
    return { output, isSet: false, name, files: [file] }
  }
  const { settings, files, placeholder, warnings } = await makeImages(planned, run, inSlot)
  if (warnings.length > 0) onWarnings(node, [...new Set(warnings)])
  return { output, isSet: kind === 'set', name: settings.name, files, placeholder }
}

/** The fault of an output of `outputs`, with its name. */
function locatedAt({ name, node }: CheckedOutput) {
  return (error: unknown): never => {
    if (!(error instanceof Fault) || error.details.node !== undefined) throw error
    throw new Fault(error.code, error.message, { ...error.details, output: name, node }, { cause: error.cause })
  }
}
