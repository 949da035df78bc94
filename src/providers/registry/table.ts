/** Every model that can be asked: the rows of the providers, those of the operator, and the local ones, in one table. */
import type { Capability, Models, ModelTraits } from '../../domain/model.ts'
import type { ModelRow, Price, Provider } from '../define.ts'
import type { ProviderConfigs } from '../settings.ts'
import type { ModelsFile } from './models-file.ts'

export interface ModelSources {
  /** In the order in which a default is looked for. */
  providers: readonly Provider[]
  settings: ProviderConfigs
  /** What MODELS_FILE says (`readModelsFile`). */
  file?: ModelsFile | undefined
  /** What the operator has named for a capability: the first that can do what is wanted, the rest are its fallbacks. */
  defaults: Partial<Record<Capability, readonly string[]>>
  /** The first of a capability is its default. */
  local: readonly LocalModelRow[]
}

export interface LocalModelRow {
  /** Without `local/`. */
  name: string
  capability: Capability
  traits?: ModelTraits
  /** Why it cannot run, and what would help; undefined where it can. */
  lacks?: string
}

export interface ModelTable extends Models {
  /** A model by `provider/model`; undefined where there is none. */
  find(model: string): TableModel | undefined
  /** What would enable a capability that no configured provider has: a sentence that names variables. */
  howToEnable(capability: Capability): string
  /** What there is, for `GET /providers`: `local` first, then in the order of the registry. No secrets are in it. */
  list(): ProviderListing[]
}

export interface TableModel {
  provider: string
  /** Under the name that was asked for. */
  row: ModelRow & { name: string }
  /** Why it cannot be asked: the variables that are not set, say. Undefined where it can. */
  lacks: string | undefined
}

export interface ProviderListing {
  id: string
  title: string
  summary: string
  docsUrl: string | undefined
  isConfigured: boolean
  /** Why it is not, naming what is to be set. */
  lacks: string | undefined
  models: ModelListing[]
}

export interface ModelListing {
  /** Without the provider; one that ends in `*` stands for all that begin so. */
  name: string
  can: Partial<Record<Capability, ModelTraits>>
  /** Undefined: not known. */
  price: Partial<Record<Capability, Price>> | undefined
  /** Capabilities for which it is asked when a node names none. */
  defaultFor: Capability[]
  /** Why this model cannot run although its provider is configured: a local one that is not installed. */
  lacks?: string
}

export async function createModels(_sources: ModelSources): Promise<ModelTable> {
  throw new Error('not built yet')
}
