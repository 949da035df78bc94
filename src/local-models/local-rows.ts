/** Local models in the format of all providers. */
import type { Capability, LocalModelFacts, ModelTraits } from '../domain/models/model.ts'
import { localModels } from './all-models.ts'
import type { LocalModel } from './define-model.ts'

export interface LocalRow {
  name: string
  model: LocalModel
  can: Partial<Record<Capability, ModelTraits>>
  facts: LocalModelFacts
}

/** Operations whose local models can be named like models of providers. */
const traits: Record<string, ModelTraits> = {
  'remove-background': {},
  upscale: { scales: [2, 4] },
} satisfies Partial<Record<Capability, ModelTraits>>

let known: { models: ReadonlyMap<string, LocalModel>; rows: readonly LocalRow[] } | undefined

/** The first model with a capability is its default. The same list while no model is added or removed. */
export function localRows(): readonly LocalRow[] {
  const models = localModels()
  if (known?.models !== models) known = { models, rows: [...models.values()].map(rowOf) }
  return known.rows
}

function rowOf(model: LocalModel): LocalRow {
  const { name, operation, licence } = model
  const modelTraits = traits[operation]
  return {
    name,
    model,
    can: modelTraits === undefined ? {} : { [operation]: modelTraits },
    facts: { operation, license: licence, hash: hashOf(model) ?? null },
  }
}

/** The hash with its algorithm: of the package, of the installed file, or of the file that a recipe expects. */
export function hashOf(model: LocalModel): string | undefined {
  if ('package' in model) return model.package.integrity
  const hex = model.file?.sha256 ?? model.manifest.sha256
  return hex === undefined ? undefined : `sha256:${hex.toLowerCase()}`
}
