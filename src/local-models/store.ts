/**
 * Finds installed models: in the data directory, where `tintype models add` installs them, or among the project's
 * packages.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type FailureReason, type Fault, failure } from '../errors.ts'
import type { LocalModel, ModelPackage } from './define-model.ts'
import { runtimePackages } from './registry.ts'

let added: string | undefined

/**
 * Sets the folder that contains the `node_modules` of installed models. Before, only packages of the project are
 * found.
 */
export function setModelsFolder(folder: string): void {
  added = folder
}

/** Folders that a run needs. */
export interface InstalledModel {
  folder: string
  runtimeFolder: string
}

/** The folders of an installed model; otherwise throws a fault that names the command to install it. */
export function requireInstalled(model: LocalModel): InstalledModel {
  const folder = folderOf(model.package)
  const [runtimeFolder, ...needed] = runtimePackages.map(folderOf)
  if (folder !== undefined && runtimeFolder !== undefined && !needed.includes(undefined)) {
    return { folder, runtimeFolder }
  }
  throw notInstalled(model)
}

export function isInstalled(model: LocalModel): boolean {
  return [model.package, ...runtimePackages].every((each) => folderOf(each) !== undefined)
}

/**
 * The folder of exactly this version; undefined if it isn't installed. Looked up each time, because models can be
 * installed while the service runs.
 */
export function folderOf({ name, version }: ModelPackage): string | undefined {
  const parents = createRequire(import.meta.url).resolve.paths(name) ?? []
  const folders = [...(added === undefined ? [] : [join(added, 'node_modules')]), ...parents]
  return folders.map((folder) => join(folder, name)).find((folder) => versionIn(folder) === version)
}

export function megabytes(bytes: number): string {
  const count = bytes / 1_000_000
  return `${count < 10 ? count.toFixed(1) : Math.round(count)} MB`
}

const reason: FailureReason = 'provider_not_configured'

function notInstalled({ name, licence, bytes }: LocalModel): Fault {
  const command = `tintype models add ${name}`
  return failure(
    reason,
    `Local model "${name}" is not installed. The operator can install it with "${command}" (${licence}, ${megabytes(bytes)}).`,
  )
}

function versionIn(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown }).version
  } catch {
    return undefined
  }
}
