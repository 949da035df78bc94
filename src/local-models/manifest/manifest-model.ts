/** A model in one ONNX file, as its manifest describes it. */
import { hash } from 'node:crypto'
import type { Manifest } from './manifest.ts'

export interface ManifestModel {
  name: string
  /** The id of the operation that uses it. */
  operation: string
  summary: string
  /** SPDX. */
  licence: string
  permissive: boolean
  manifest: Manifest
  /** Size of the file. Undefined if it isn't installed, and not a recipe. */
  bytes: number | undefined
  /** Undefined if it isn't installed. */
  file: ModelFile | undefined
}

export interface ModelFile {
  path: string
  /** Hexadecimal, of the installed file. It is verified each time the file is loaded. */
  sha256: string
  bytes: number
}

/** Content of `manifest.json` next to an installed file. */
export interface InstalledManifest {
  manifest: Manifest
  sha256: string
  bytes: number
}

const operations: Record<Manifest['task'], string> = {
  mask: 'remove-background',
  upscale: 'upscale',
  detect: 'faces',
}

export function manifestModel(manifest: Manifest, file: ModelFile | undefined, bytes = file?.bytes): ManifestModel {
  const { name, task, summary = '', license } = manifest
  return {
    name,
    operation: operations[task],
    summary,
    licence: license,
    permissive: permissiveLicences.has(license),
    manifest,
    bytes,
    file,
  }
}

/** SPDX identifiers of licences that allow any use, and require at most a notice. */
const permissiveLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
])

/** The part of a cache key that identifies the model: its bytes, and all fields that affect its results. Undefined if it isn't installed. */
export function manifestVersionKey({ name, manifest, file }: ManifestModel): string | undefined {
  if (file === undefined) return undefined
  const { summary: _, license: __, file: ___, sha256: ____, ...fields } = manifest
  return `${name} sha256:${file.sha256} ${hash('sha256', JSON.stringify(sorted(fields)))}`
}

/**
 * The manifest with the fields of all objects in one order: a manifest that is written in another order is the same.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}
