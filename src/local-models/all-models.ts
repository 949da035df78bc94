/** All local models: in packages, recipes, and with a manifest of the operator. */
import type { LocalModel } from './define-model.ts'
import { type ManifestModels, manifestModels } from './manifest/manifest-models.ts'
import { packagedModels } from './registry.ts'

let known: { manifests: ManifestModels; all: ReadonlyMap<string, LocalModel> } | undefined

/** Models in the order of lists. The same map while no model is added or removed. */
export function localModels(): ReadonlyMap<string, LocalModel> {
  const manifests = manifestModels()
  if (known?.manifests !== manifests) {
    // Packages first: the first model for an operation is its default. A package keeps its name.
    const added = [...manifests].filter(([name]) => !packagedModels.has(name))
    known = { manifests, all: new Map<string, LocalModel>([...packagedModels, ...added]) }
  }
  return known.all
}
