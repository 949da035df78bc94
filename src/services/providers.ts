/** AI providers, their configuration, and the features of each model. No secrets and no addresses. */
import { type Capability, capabilities, type Models, type ProviderFacts } from '../domain/models/model.ts'

export interface Providers {
  /** `missing`: variables that would enable it. */
  list(accountId?: string): (ProviderFacts & { missing: string[] })[]
  /** `provider/model` in the order in which they are tried if a node names none. */
  defaults(accountId: string): Record<Capability, string[]>
}

interface Dependencies {
  /** The models of an account, or those of the service. */
  modelsOf(accountId?: string): Pick<Models, 'choose'> & { list(): ProviderFacts[] }
  missingOf(provider: string): string[]
}

export function createProviders({ modelsOf, missingOf }: Dependencies): Providers {
  return {
    list: (accountId) =>
      modelsOf(accountId)
        .list()
        .map((facts) => ({ ...facts, missing: facts.isConfigured ? [] : missingOf(facts.id) })),
    defaults: (accountId) =>
      Object.fromEntries(
        capabilities.map((capability) => [
          capability,
          modelsOf(accountId).choose({ capability, requirements: [] }).chain,
        ]),
      ) as Record<Capability, string[]>,
  }
}
