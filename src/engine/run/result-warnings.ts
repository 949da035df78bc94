/** Warnings of a step that become a part of its result. */
import { limits } from '../../limits.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import type { ResultWarning, StepResult } from '../plan/step-result.ts'

export interface WarningCollector {
  /** Called by the operation. An equal warning counts once, also for several items of a list. */
  warn(message: string): void
  /** The result with its warnings and those of the results that it was made from. */
  added(result: StepResult): StepResult
}

export function collectWarnings(
  { id, operation }: PlannedStep['node'],
  results: ReadonlyMap<string, StepResult>,
): WarningCollector {
  const messages = new Set<string>()
  return {
    warn(message) {
      if (messages.size < limits.stepWarningsMax) messages.add(message)
    },
    added(result) {
      const stepWarnings = [...messages].map(
        (message): ResultWarning => ({ node: id, operation: operation.id, message }),
      )
      const inherited = [...results.values()].flatMap(({ warnings }) => warnings ?? [])
      const all = [
        ...new Map(
          [...inherited, ...stepWarnings].map((warning) => [`${warning.node} ${warning.message}`, warning]),
        ).values(),
      ]
      return all.length === 0 ? result : { ...result, warnings: all.slice(0, limits.stepWarningsMax) }
    },
  }
}
