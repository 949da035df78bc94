/** Messages between the service and the process that runs models. */
import type { ModelImage, ModelOutputs } from './define-model.ts'
import type { Manifest } from './manifest/manifest.ts'

/** A graph of a package by its names, or a file with its manifest. */
export type JobGraph = { graph: string } | { manifest: Manifest; sha256: string }

export interface ModelJob {
  model: string
  /** Folder of the model's package or file. */
  folder: string
  runtimeFolder: string
  threads: number
  image: ModelImage
  run: JobGraph
}

/** `isModelProblem`: the problem describes the model or its file. Otherwise it is an error of the runtime. */
export type ModelReply = { outputs: ModelOutputs } | { problem: string; isModelProblem: boolean; isChanged: boolean }

/** A model that doesn't match its manifest, or whose results can't be used. The message continues "the model". */
export class ModelProblem extends Error {}

/** The file is not the one that was installed. */
export class FileChanged extends ModelProblem {}
