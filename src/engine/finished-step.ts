/** What a step of a failed run leaves for one that resumes it. */
import type { Step } from '../domain/execution.ts'
import type { Identity } from './key.ts'
import { type PackedResult, pack } from './packed.ts'
import type { StepResult } from './results.ts'
import type { FinishedStep } from './serving.ts'

/** `result`: undefined once nobody needs its images; `values`: without images. */
export function finishedStep(
  record: Step | undefined,
  identity: Identity | undefined,
  result: StepResult | undefined,
  values: StepResult,
): FinishedStep[] {
  if (identity === undefined || record?.status !== 'completed') return []
  const packed: PackedResult | undefined = result && pack(result)
  const facts = packed?.facts ?? pack(values)?.facts
  return facts ? [{ task: identity.task, key: identity.key, facts, packed, preview: record.preview }] : []
}
