/** AI providers, their configuration, and the features of each model. No secrets and no addresses. */
import { type Capability, capabilities, type Models, type ProviderFacts } from '../domain/models/model.ts'

export interface Providers {
  /** `missing`: variables that would enable it. */
  list(): (ProviderFacts & { missing: string[] })[]
  /** `provider/model` in the order in which they are tried if a node names none. */
  defaults(): Record<Capability, string[]>
}

interface Dependencies {
  models: Pick<Models, 'choose'> & { list(): ProviderFacts[] }
  missingOf(provider: string): string[]
}

export function createProviders({ models, missingOf }: Dependencies): Providers {
  return {
    list: () => models.list().map((facts) => ({ ...facts, missing: missingOf(facts.id) })),
    defaults: () =>
      Object.fromEntries(
        capabilities.map((capability) => [capability, models.choose({ capability, requirements: [] }).chain]),
      ) as Record<Capability, string[]>,
  }
}
