/** Which AI providers there are, what is configured, and what each model can do. Never a secret, and no address. */
import { type Capability, capabilities, type Models, type ModelTraits } from '../domain/model.ts'

export interface ProviderFacts {
  id: string
  title: string
  summary: string
  docsUrl: string | undefined
  isConfigured: boolean
  /** Why it is not, naming what is to be set. */
  lacks: string | undefined
  models: ModelFacts[]
}

export interface ModelFacts {
  /** Without the provider; one that ends in `*` stands for all that begin so. */
  name: string
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined: not known. */
  price: Partial<Record<Capability, PriceFacts>> | undefined
  /** Capabilities for which it is asked when a node names none. */
  defaultFor: Capability[]
  /** Why it cannot be asked although its provider is configured: a local one that is not installed. */
  lacks?: string
}

/** In US dollars; `per` says of what. */
export type PriceFacts = { asOf: string; per: string; usd?: number }

export interface Providers {
  /** `missing`: variables that would enable it. */
  list(): (ProviderFacts & { missing: string[] })[]
  /** `provider/model` in the order in which they are tried when a node names none. */
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
        capabilities.map((capability) => [capability, models.choose({ capability, wants: [] }).chain]),
      ) as Record<Capability, string[]>,
  }
}
