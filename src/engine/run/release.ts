/** Releases the images of a result after its last reader. */
import type { Step } from '../../domain/execution.ts'
import { imagesOf, isPending } from '../plan/step-result.ts'
import type { PixelShare } from './pixel-budget.ts'
import type { StepRecords } from './step-records.ts'
import { enter, type StepState } from './step-state.ts'

/**
 * Call it when a reader of the step has ended. If the last one did without the step ever being started, the readers of its
 * dependencies decrease as well. `from`: where the result of the reader came from; undefined if the reader was skipped.
 */
export function release(
  step: StepState,
  from: Step['servedFrom'],
  run: { records: StepRecords; share: PixelShare },
): void {
  const { records, share } = run
  step.readersLeft -= 1
  if (step.readersLeft > 0 || step.isPinned) return
  const { result } = step
  if (result === undefined) {
    enter(step, 'unneeded')
    if (from === undefined) records.unneeded(step.id)
    const origin = from && (records.reused(step.id, from)?.servedFrom ?? from)
    for (const dependency of step.dependencies) release(dependency, origin, run)
    return
  }
  step.result = undefined
  result.then(
    (value) => {
      for (const image of imagesOf(value)) share.drop(image)
      enter(step, 'released')
      forget(step)
    },
    () => undefined,
  )
}

/** Keeps the result while a reader has pixels that are still to be made from it: after a failure, a resumed run needs it. */
function forget({ outcome, readers, dependencies }: StepState): void {
  if (outcome === undefined || readers.some((reader) => isPending(reader.outcome?.result))) return
  outcome.result = undefined
  for (const step of dependencies) if (step.state === 'released' && step.outcome?.result) forget(step)
}
