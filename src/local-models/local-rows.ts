/** Capabilities of local models, in the format of all providers. */
import type { Capability, ModelTraits } from '../domain/model.ts'
import { localModels } from './registry.ts'

export interface LocalRow {
  name: string
  can: Partial<Record<Capability, ModelTraits>>
}

/** Operations whose local models can be named like models of providers. */
const traits: Record<string, ModelTraits> = {
  'remove-background': {},
  upscale: { scales: [2, 4] },
} satisfies Partial<Record<Capability, ModelTraits>>

/** The first model with a capability is its default. */
export const localRows: readonly LocalRow[] = [...localModels.values()].flatMap(({ name, operation }) => {
  const modelTraits = traits[operation]
  return modelTraits === undefined ? [] : [{ name, can: { [operation]: modelTraits } }]
})
