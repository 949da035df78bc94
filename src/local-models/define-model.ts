/** The shape of a local model: one value from which the catalogue of models, its installation and its use are derived. */

export interface ModelPackage {
  /** Of the npm registry. */
  name: string
  /** Exact: a model that changes changes every picture made with it. */
  version: string
  /** SHA-512 of the package as the registry has it, as npm writes it; what is of other bytes is not installed. */
  integrity: string
  /** Files that are kept, from the package's folder: prefixes of paths. */
  keep: readonly string[]
}

export interface LocalModel {
  name: string
  /** The id of the operation that uses it. */
  operation: string
  /** One sentence: what it does well, and what it does not. */
  summary: string
  package: ModelPackage
  /** SPDX. */
  licence: string
  /** Whether the licence lets anybody include it; another one is asked about before it is installed. */
  permissive: boolean
  /** Bytes of what is kept. */
  bytes: number
  graphs: Readonly<Record<string, Graph>>
}

/** What pictures that were made with it are told apart by. */
export function modelVersionKey({ name, package: { version, integrity } }: LocalModel): string {
  return `${name} ${version} ${integrity}`
}

export interface Graph {
  /** ONNX, from the folder of the package. */
  load(folder: string): Promise<Uint8Array>
  input: GraphInput
  /** Outputs that are wanted, by the graph's own names, and as what. */
  outputs: Readonly<Record<string, OutputKind>>
}

export interface GraphInput {
  name: string
  /** Order of the axes: batch, channels, height, width, or with channels last. */
  layout: 'NCHW' | 'NHWC'
  /** What 8 bits become: (byte - mean) / deviation, for red, green and blue. */
  mean: readonly [number, number, number]
  deviation: readonly [number, number, number]
  /** Whether the model was trained on blue, green, red. */
  isBgr?: boolean
}

/**
 * What becomes of an output. `levels`: bytes, of floats of 0 to 1, cut and rounded. `bytes`: the same of floats of 0 to
 * 255. `floats`: as they are. `best`: of each row of the last axis the place of the largest, and its value.
 */
export type OutputKind = 'levels' | 'bytes' | 'floats' | 'best'

/** 8 bits, three channels, rows without padding. */
export interface ModelImage {
  data: Uint8Array
  width: number
  height: number
}

export interface ModelOutput {
  /** As the graph has them. */
  dims: number[]
  /** Of `levels` and `bytes`: bytes, with channels last. Of `best`: places. */
  data: Uint8Array | Float32Array | Uint16Array
  /** Of `best`: the values. */
  values?: Float32Array
}

export type ModelOutputs = Record<string, ModelOutput>
