/** Messages between the service and the process that runs models. */
import type { ModelImage, ModelOutputs } from './define-model.ts'

export interface ModelJob {
  id: number
  model: string
  graph: string
  /** Folder of the model's package. */
  folder: string
  runtimeFolder: string
  threads: number
  image: ModelImage
}

export type ModelReply = { id: number; outputs: ModelOutputs } | { id: number; problem: string }
