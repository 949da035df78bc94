/** What earlier executions have left, as a run asks for it. Implemented by services. */
import type { StepPreview } from '../../domain/execution.ts'
import type { ImageFormat } from '../../domain/image.ts'
import type { PackedResult, ResultFacts } from './packed.ts'
import type { KeyContext } from './step-keys.ts'

/** Stored results that an execution may use in place of running steps. */
export interface StepReuse {
  keyContext: KeyContext
  cache?: StepCache | undefined
  /** Checkpoints of the execution that this one resumes. */
  checkpoints?: Checkpoints | undefined
}

/** Results of steps, and outputs, by their keys. Nothing in it ever fails a run: what cannot be read is not there. */
export interface StepCache {
  find(keys: readonly string[]): Promise<ReadonlyMap<string, StoredResult>>
  findOutput(key: string): Promise<StoredOutput | undefined>
  /** Stores it beside the execution, if it is worth that. */
  offer(key: string, result: PackedResult, durationMs: number): void
}

export interface StoredResult {
  facts: ResultFacts
  /** Undefined when the bytes are gone. */
  read(): Promise<Buffer | undefined>
}

export interface StoredOutput {
  format: ImageFormat
  width: number
  height: number
  /** Undefined when the image is gone. */
  take(): Promise<TakenOutput | undefined>
}

/** Bytes of an earlier output: themselves, or that they are stored once more under the key of a new image. */
export type TakenOutput = { bytes: Buffer; stored?: undefined } | { bytes?: undefined; stored: StoredImage }

export interface StoredImage {
  id: string
  size: number
  sha256: string
}

/** What the execution that is resumed has finished, by task. */
export type Checkpoints = ReadonlyMap<string, StoredCheckpoint>

export interface StoredCheckpoint extends StoredResult {
  /** Its key, also where that could be told only when it had run; undefined for what has none. */
  key: string | undefined
  /** Whether its images were kept, and not only its values. */
  hasImages: boolean
  /** What was shown of it. */
  preview?: StepPreview | undefined
}

/** What a failed run leaves for one that resumes it. */
export interface Checkpoint {
  task: string
  key: string | undefined
  facts: ResultFacts
  /** Its images, where an unfinished step still needed them. */
  packed: PackedResult | undefined
  preview?: StepPreview | undefined
}
