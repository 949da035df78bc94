/** All models with a manifest: the recipes, and the models that the operator has installed. */
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../limits.ts'
import { modelFile } from './load-verified.ts'
import { type Manifest, manifestIssues } from './manifest.ts'
import { type InstalledManifest, type ManifestModel, manifestModel } from './manifest-model.ts'
import { readRecipes } from './recipes.ts'

export type ManifestModels = ReadonlyMap<string, ManifestModel>

/** Inside the folder of models. */
export const manifestFolder = 'onnx'
export const manifestFile = 'manifest.json'

let folder: string | undefined
/** Stamp of the folder when it was read. Its modification time changes when a model is added, replaced or removed. */
let read: { stamp: string; models: ManifestModels } | undefined

export function setManifestFolder(modelsFolder: string): void {
  folder = join(modelsFolder, manifestFolder)
  read = undefined
}

/** Looked up each time, because models can be installed while the service runs. The same map while nothing changes. */
export function manifestModels(): ManifestModels {
  const stamp = stampOf(folder)
  if (read?.stamp === stamp) return read.models
  const models = readModels(folder)
  read = { stamp, models }
  return models
}

/**
 * Lets all processes read the folder again. Several changes of one moment can have the same time, so that a process that read
 * the folder between them would miss the last one: the time is moved on.
 */
export function announceModels(modelsFolder: string): void {
  const path = join(modelsFolder, manifestFolder)
  const { atimeMs, mtimeMs } = statSync(path)
  utimesSync(path, atimeMs / 1_000, (mtimeMs + 2) / 1_000)
}

export interface WithManifest<Task extends Manifest['task']> {
  model: ManifestModel
  manifest: Extract<Manifest, { task: Task }>
}

/** The models for a task, also those that are not installed. */
export function modelsForTask<Task extends Manifest['task']>(task: Task): WithManifest<Task>[] {
  return [...manifestModels().values()].flatMap((model) =>
    model.manifest.task === task ? { model, manifest: model.manifest as WithManifest<Task>['manifest'] } : [],
  )
}

function stampOf(path: string | undefined): string {
  const stats = path === undefined ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'missing' : `${stats.ino} ${stats.mtimeNs}`
}

function readModels(path: string | undefined): ManifestModels {
  const models = new Map(
    readRecipes().map(({ manifest, bytes }) => [manifest.name, manifestModel(manifest, undefined, bytes)]),
  )
  for (const name of path === undefined ? [] : foldersIn(path)) {
    const model = readModel(join(path as string, name), name)
    if (model) models.set(name, model)
  }
  return models
}

function foldersIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
    return names.sort().slice(0, limits.onnxModelsMax)
  } catch {
    return []
  }
}

/** Undefined for a folder that isn't a model: a manifest that can't be read has no task to be used for. */
function readModel(path: string, name: string): ManifestModel | undefined {
  try {
    const text = readFileSync(join(path, manifestFile), 'utf8')
    const { manifest, sha256, bytes } = JSON.parse(text) as InstalledManifest
    if (manifestIssues(manifest).length > 0 || manifest.name !== name) return undefined
    return manifestModel(manifest, { path: join(path, modelFile), sha256, bytes })
  } catch {
    return undefined
  }
}
