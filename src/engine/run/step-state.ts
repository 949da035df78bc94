/** The record that the scheduler has of each step, and the states that a step goes through. */

import type { Identity } from '../cache/key.ts'
import type { StepKey } from '../cache/step-keys.ts'
import { listsOf } from '../check/lists.ts'
import { outputValues } from '../check/wires.ts'
import { needsOf, valueNeeds } from '../plan/dependencies.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import type { StepResult } from '../plan/step-result.ts'

/** State -> the states that can follow it. README.md has the same table, with the meaning of each state. */
export const transitions = {
  idle: ['lookingUp', 'unneeded'],
  lookingUp: ['loading', 'waiting', 'failed'],
  loading: ['done', 'waiting', 'failed'],
  waiting: ['running', 'failed'],
  running: ['done', 'failed'],
  done: ['released'],
  released: [],
  unneeded: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>

export type State = keyof typeof transitions

export interface StepState {
  readonly id: string
  readonly planned: PlannedStep
  state: State
  /** The steps that it reads, by a wire or in a template. */
  readonly dependencies: readonly StepState[]
  /** The steps that read it. */
  readonly readers: StepState[]
  /** How many of them, and of the outputs that read its image, have not ended. */
  readersLeft: number
  /** The settings of an output read its values, so it is never released. */
  readonly isPinned: boolean
  /** It calls a model, or depends on a step that does: it is never started ahead, because that may cost money. */
  readonly isCostly: boolean
  /** Templates read its values: they are cached separately as well, because keys of other steps depend on them. */
  readonly areValuesRead: boolean
  /** Its result is a list of images. */
  readonly isList: boolean
  isStartedAhead: boolean
  /** Its key comes from the checkpoint of the execution that is resumed, since its sources have to be read to know it. */
  isKeyFromCheckpoint: boolean
  /** Its result is not the one of its key: a source has changed, or a fallback model has responded. It is never cached. */
  isTainted: boolean
  /** Whether it runs, once the values that decide that are known. */
  decided?: Promise<PlannedStep>
  /** Its key, as far as it can be known before it runs. */
  key?: Promise<StepKey | undefined>
  /** Undefined before it is requested, and after its release. */
  result?: Promise<StepResult> | undefined
  outcome?: Outcome
}

/** The result of a step that was loaded or has run. */
export interface Outcome {
  identity: Identity | undefined
  /** Undefined when no step needs its images any more, not even after a failure. */
  result: StepResult | undefined
  /** Result without images. */
  values: StepResult
}

/** Throws if the table has no such transition: the scheduler has a bug then. */
export function enter(step: StepState, next: State): void {
  const allowed: readonly State[] = transitions[step.state]
  if (!allowed.includes(next)) throw new Error(`Step ${step.id} cannot go from ${step.state} to ${next}.`)
  step.state = next
}

/** States of the steps that the output needs, in the order of the plan: each after its dependencies. */
export function createStepStates(plan: Plan): Map<string, StepState> {
  const needed = plan.steps.filter(({ action }) => action !== 'unneeded')
  const pinned = new Set(outputValues(plan.workflow))
  const valuesRead = new Set([...pinned, ...needed.flatMap(valueNeeds)])
  const lists = listsOf(plan.workflow.nodes, plan.workflow.order)
  const steps = new Map<string, StepState>()
  for (const planned of needed) {
    const { id, operation } = planned.node
    const dependencies = needsOf(planned).flatMap((need) => steps.get(need) ?? [])
    const step: StepState = {
      id,
      planned,
      dependencies,
      state: 'idle',
      readers: [],
      readersLeft: plan.workflow.outputs.filter(({ nodes }) => nodes.includes(id)).length,
      isPinned: pinned.has(id),
      isCostly: operation.usesModel !== undefined || dependencies.some(({ isCostly }) => isCostly),
      areValuesRead: valuesRead.has(id),
      isList: lists.has(id),
      isStartedAhead: false,
      isKeyFromCheckpoint: false,
      isTainted: false,
    }
    for (const dependency of dependencies) {
      dependency.readers.push(step)
      dependency.readersLeft += 1
    }
    steps.set(id, step)
  }
  return steps
}
