/**
 * Finds installed models: in the data directory, where `tintype models add` installs them, or in the folder `models` of a clone, where
 * scripts/install-test-models.sh installs those of the tests.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { didYouMean } from '../../shared/suggest.ts'
import { show } from '../../shared/text.ts'
import { type FailureReason, type Fault, failure } from '../errors.ts'
import type { LocalModel, ModelPackage } from './define-model.ts'
import { setManifestFolder } from './manifest/manifest-models.ts'
import { runtimePackages } from './registry.ts'

const ofClone = join(import.meta.dirname, '../../models')
let added: string | undefined

/**
 * Sets the folder of installed models: it contains the `node_modules` of models in packages, and models with a manifest. Before,
 * only those of a clone are found.
 */
export function setModelsFolder(folder: string): void {
  added = folder
  setManifestFolder(folder)
}

/** Folders that a run needs. */
export interface InstalledModel {
  folder: string
  runtimeFolder: string
}

/** The folders of an installed model; otherwise throws a fault that names the command to install it. */
export function requireInstalled(model: LocalModel): InstalledModel {
  const folder = folderOfModel(model)
  const [runtimeFolder, ...needed] = runtimePackages.map(folderOf)
  if (folder !== undefined && runtimeFolder !== undefined && !needed.includes(undefined)) {
    return { folder, runtimeFolder }
  }
  throw notInstalled(model)
}

export function isInstalled(model: LocalModel): boolean {
  return folderOfModel(model) !== undefined && isRuntimeInstalled()
}

export function isRuntimeInstalled(): boolean {
  return runtimePackages.every((name) => folderOf(name) !== undefined)
}

function folderOfModel(model: LocalModel): string | undefined {
  if ('package' in model) return folderOf(model.package)
  return model.file && existsSync(model.file.path) ? dirname(model.file.path) : undefined
}

/**
 * The folder of exactly this version; undefined if it isn't installed. Looked up each time, because models can be
 * installed while the service runs.
 */
export function folderOf({ name, version }: ModelPackage): string | undefined {
  const folders = added === undefined ? [ofClone] : [added, ofClone]
  return folders.map((folder) => join(folder, 'node_modules', name)).find((folder) => versionIn(folder) === version)
}

export function megabytes(bytes: number): string {
  if (bytes < 100_000) return `${Math.ceil(bytes / 1_000)} kB`
  const count = bytes / 1_000_000
  return `${count < 10 ? count.toFixed(1) : Math.round(count)} MB`
}

const namesShown = 20

const reason: FailureReason = 'provider_not_configured'

function notInstalled(model: LocalModel): Fault {
  const size = model.bytes === undefined ? '' : `, ${megabytes(model.bytes)}`
  return failure(
    reason,
    `Local model "${model.name}" is not installed on this machine. The operator can install it with "tintype models add ${model.name}" (${model.licence}${size}).`,
  )
}

/** Fault for a name that this machine has no manifest of. `names`: of the models that it has. */
export function unknownModel(name: string, names: readonly string[]): Fault {
  const next =
    didYouMean(name, names) ||
    `Models: ${names.slice(0, namesShown).join(', ')}. The operator can add others with "tintype models add --manifest FILE", on each machine of the service and its workers.`
  return failure(reason, `Local model ${show(name)} is not installed on this machine. ${next}`)
}

function versionIn(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown }).version
  } catch {
    return undefined
  }
}
