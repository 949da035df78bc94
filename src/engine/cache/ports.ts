/** The results of earlier executions that a run can use. Implemented by services. */

import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import type { StepPreview } from '../../domain/executions/execution.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import type { StepResult } from '../plan/step-result.ts'
import type { PackedResult, ResultFacts } from './packed.ts'
import type { KeyContext } from './step-keys.ts'

/** Stored results that an execution may use in place of running steps. */
export interface StepReuse {
  keyContext: KeyContext
  cache?: StepCache | undefined
  /** Checkpoints of the execution that this one resumes. */
  checkpoints?: Checkpoints | undefined
}

/** Step results and outputs by key. It never fails a run: a failed read is a cache miss. */
export interface StepCache {
  find(keys: readonly string[]): Promise<ReadonlyMap<string, StoredResult>>
  /** Finds outputs by key. */
  findOutputs(keys: readonly string[]): Promise<ReadonlyMap<string, StoredOutput>>
  /** Stores the result next to the execution, if that is worth its cost. */
  offer(key: string, result: PackedResult, durationMs: number): void
  /** Stores the result of a step that cost money. Resolves when every process can find it, or it can't be stored. */
  keep(key: string, result: PackedResult): Promise<void>
  /** Keeps a result in memory as it is, with its decoded pixels. A cache that has this also has the results of sources. */
  remember?(key: string, result: StepResult, facts: ResultFacts): void
}

export interface StoredResult {
  facts: ResultFacts
  /** The result itself, if it is in memory. */
  result?: StepResult | undefined
  /** Undefined if the bytes are gone. */
  read(): Promise<Buffer | undefined>
}

export interface StoredOutput {
  format: ImageFormat
  width: number
  height: number
  origin?: Origin | undefined
  credentials?: CredentialState | undefined
  /** Number of pages of a PDF. */
  pages?: number | undefined
  /** Undefined if the image is gone. */
  take(): Promise<TakenOutput | undefined>
}

/** The bytes of an earlier output, or a copy of them that is stored under the key of a new image. */
export type TakenOutput = { bytes: Buffer; stored?: undefined } | { bytes?: undefined; stored: StoredImage }

export interface StoredImage {
  id: string
  size: number
  sha256: string
}

/** A stored file that no image record refers to yet. */
export interface StoredFile extends StoredImage {
  format: ImageFormat
}

/** The checkpoints of the resumed execution, by task. */
export type Checkpoints = ReadonlyMap<string, StoredCheckpoint>

export interface StoredCheckpoint extends StoredResult {
  /** Its key, also if it was known only after the step had run. Undefined if it has none. */
  key: string | undefined
  /** Whether its images are stored, and not only its values. */
  hasImages: boolean
  /** Its preview. */
  preview?: StepPreview | undefined
}

/** The result of a completed step of a failed run, or a finished file of an output. */
export interface Checkpoint {
  task: string
  key: string | undefined
  facts: ResultFacts
  /** The result with images, if an unfinished step still needs them. */
  packed: PackedResult | undefined
  /** The bytes of a file, if they are stored already. */
  stored?: StoredFile
  preview?: StepPreview | undefined
}
