/** The records of steps during a run. */
import type { Frame } from '../../../shared/frames.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Step, StepPreview } from '../../domain/executions/execution.ts'
import { combinedOrigin } from '../../domain/images/origin.ts'
import type { ModelCallRecord } from '../../domain/models/model.ts'
import type { Fault } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { packedOrigin, packedSize, type ResultFacts } from '../cache/packed.ts'
import type { StoredResult } from '../cache/ports.ts'
import { imagesOf, type ResultWarning, type StepResult } from '../plan/step-result.ts'

export interface StepRecords {
  get(id: string): Step | undefined
  started(id: string): void
  /** `isSource`: the credentials of the images are those of their files. */
  done(id: string, result: StepResult, isSource: boolean): void
  warned(id: string, warnings: string[]): void
  /** `frames`: those in its inputs. */
  failed(id: string, fault: Fault, frames?: readonly Frame[]): void
  /** All its model calls so far. */
  modelCalls(id: string, calls: ModelCallRecord[]): void
  ended(id: string, durationMs: number): void
  /** Its preview is stored. */
  previewed(id: string, preview: StepPreview): void
  /**
   * Records a loaded result; without `stored`, it was not needed, because a later result was loaded. The first origin
   * stays.
   */
  reused(id: string, from: NonNullable<Step['servedFrom']>, stored?: StoredResult): Step | undefined
  /** Records the size and frames of a stored result that was not needed. */
  described(id: string, facts: ResultFacts): void
  /** It was not needed, because a skipped node does not read it. */
  unneeded(id: string): void
  /** The remaining steps are not needed. */
  reuseRest(): void
}

export function createStepRecords(steps: Step[], clock: Clock, onProgress: () => void): StepRecords {
  const records = new Map(steps.map((step) => [step.node, step]))
  /** Steps outside the plan have no record. */
  const change = (id: string, changes: Partial<Step>) => Object.assign(records.get(id) ?? {}, changes)

  function warn(id: string, warnings: readonly string[]): void {
    change(id, { warnings: [...new Set([...(records.get(id)?.warnings ?? []), ...warnings])] })
  }

  /**
   * Repeats a warning on the step that caused it, or on the one whose result was stored if the other was in another
   * workflow.
   */
  function warnAgain(id: string, { node, operation, message }: ResultWarning): void {
    warn(records.get(node)?.operation === operation ? node : id, [message])
  }

  function describe(id: string, facts: ResultFacts): void {
    const { frames, items } = facts
    change(id, { ...packedSize(facts), ...(frames && { frames }), ...(items && { count: items.length }) })
  }

  function reused(id: string, from: NonNullable<Step['servedFrom']>, stored?: StoredResult): Step | undefined {
    const record = records.get(id)
    if (record === undefined || record.servedFrom !== undefined) return record
    change(id, { status: 'completed', servedFrom: from })
    if (stored) {
      change(id, { startedAt: clock.now(), durationMs: 0 })
      describe(id, stored.facts)
      setOrigin(record, packedOrigin(stored.facts))
      for (const warning of stored.facts.warnings ?? []) warnAgain(id, warning)
    }
    onProgress()
    return record
  }

  return {
    get: (id) => records.get(id),
    started(id) {
      change(id, { status: 'running', startedAt: clock.now() })
      // Its values may have been loaded before its images were needed.
      delete records.get(id)?.servedFrom
      onProgress()
    },
    done(id, result, isSource) {
      const images = imagesOf(result)
      const [first] = images
      const status = result.skipped ? 'skipped' : 'completed'
      change(id, { status, width: first?.width ?? null, height: first?.height ?? null })
      setOrigin(records.get(id), combinedOrigin(images.map(({ origin }) => origin)))
      if (result.frames) change(id, { frames: result.frames })
      if (result.list) change(id, { count: result.list.results.length })
      if (isSource && images.some(hasInvalidSource)) warn(id, [invalidSource])
      for (const { node, message } of result.warnings ?? []) if (node === id) warn(id, [message])
    },
    warned: warn,
    failed(id, { message, details }, frames) {
      change(id, { status: 'failed', error: { message, details }, ...(frames && { frames }) })
    },
    modelCalls(id, calls) {
      change(id, { calls })
      onProgress()
    },
    ended(id, durationMs) {
      change(id, { durationMs: roundedMs(durationMs) })
      onProgress()
    },
    previewed(id, preview) {
      change(id, { preview })
      onProgress()
    },
    reused,
    described(id, facts) {
      describe(id, facts)
      onProgress()
    },
    unneeded(id) {
      if (records.get(id)?.status !== 'pending') return
      change(id, { status: 'skipped' })
      onProgress()
    },
    reuseRest() {
      for (const { node, status } of steps) if (status === 'pending' || status === 'running') reused(node, 'cache')
    },
  }
}

const invalidSource =
  'The Content Credentials of this image are invalid: it was changed after it was signed, or signed incorrectly. `POST /v1/verify` describes the problems.'

function hasInvalidSource({ madeFrom }: ImageValue): boolean {
  return madeFrom?.sources.some(({ credentials }) => credentials === 'invalid') === true
}

/** A step that is run again after its values were loaded has a new one. */
function setOrigin(record: Step | undefined, origin: Step['origin']): void {
  if (record === undefined) return
  if (origin) record.origin = origin
  else delete record.origin
}

/** Rounds to the microsecond. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
