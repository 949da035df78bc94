/** Lets the images of results go with their last readers. */
import type { Step } from '../domain/execution.ts'
import type { Identity } from './key.ts'
import { countReaders, needsOf } from './needs.ts'
import type { PixelShare } from './pixel-budget.ts'
import type { PlannedStep } from './planned-step.ts'
import { isPending, picturesOf, type StepResult } from './results.ts'
import type { StepRecords } from './step-records.ts'

/** What a step has come to. */
export interface Done {
  identity: Identity | undefined
  /** Undefined once nobody needs its images. */
  result: StepResult | undefined
  /** Without images. */
  values: StepResult
}

interface Options {
  needed: PlannedStep[]
  stepOf(id: string): PlannedStep
  /** Never let go. */
  pinned: ReadonlySet<string>
  results: Map<string, Promise<StepResult>>
  done: ReadonlyMap<string, Done>
  share: PixelShare
  records: StepRecords
}

/**
 * One reader less. With the last, its images are let go; where it never was asked for, neither is what it needs. `from`:
 * undefined where the reader was skipped.
 */
export type Release = (id: string, from: Step['servedFrom']) => void

export function createRelease({ needed, stepOf, pinned, results, done, share, records }: Options): Release {
  const readers = countReaders(needed)
  const letGo = new Set<string>()

  function release(id: string, from: Step['servedFrom']): void {
    const left = (readers.get(id) ?? 0) - 1
    readers.set(id, left)
    if (left > 0 || pinned.has(id)) return
    const result = results.get(id)
    if (result === undefined) {
      if (from === undefined) records.unneeded(id)
      const origin = from && (records.served(id, from)?.servedFrom ?? from)
      for (const need of needsOf(stepOf(id))) release(need, origin)
      return
    }
    results.delete(id)
    result.then(
      (value) => {
        for (const picture of picturesOf(value)) share.drop(picture)
        forget(id)
      },
      () => undefined,
    )
  }

  /** What is not finished before its reader is, keeps what it is made of: after a failure it is to be made again. */
  function forget(id: string): void {
    letGo.add(id)
    const own = done.get(id)
    const goesOn = needed.some((step) => needsOf(step).includes(id) && isPending(done.get(step.node.id)?.result))
    if (own === undefined || goesOn) return
    own.result = undefined
    for (const need of needsOf(stepOf(id))) if (letGo.has(need) && done.get(need)?.result) forget(need)
  }

  return release
}
