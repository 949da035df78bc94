/** What local models can do, in the words in which the capabilities of every provider are told. */
import type { Capability, ModelTraits } from '../domain/model.ts'
import { localModels } from './registry.ts'

export interface LocalRow {
  name: string
  can: Partial<Record<Capability, ModelTraits>>
}

/** Operations whose models can be named beside those of providers. */
const traits: Record<string, ModelTraits> = {
  'remove-background': {},
  upscale: { scales: [2, 4] },
} satisfies Partial<Record<Capability, ModelTraits>>

/** The first that has a capability is the default for it. */
export const localRows: readonly LocalRow[] = [...localModels.values()].flatMap(({ name, operation }) => {
  const own = traits[operation]
  return own === undefined ? [] : [{ name, can: { [operation]: own } }]
})
