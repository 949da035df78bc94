/** The table of all models: rows of the providers, rows of the operator, and local models. */
import { hash } from 'node:crypto'
import { didYouMean } from '../../../shared/suggest.ts'
import { show } from '../../../shared/text.ts'
import {
  type Capability,
  type CostRange,
  capabilities,
  type LocalModelFacts,
  type ModelRequirements,
  type Models,
  type ModelTraits,
  type ProviderFacts,
  type ReadyModel,
} from '../../domain/models/model.ts'
import type { ModelRow, Price, Provider } from '../define.ts'
import { missingConfigOf, type ProviderConfigs } from '../settings.ts'
import { type Choosing, choose } from './choose.ts'
import type { ModelsFile } from './models-file.ts'
import { pricesOf, rangeOf, spanOf } from './prices.ts'
import { mergeRows, rowOf, splitModel, type TableProvider } from './rows.ts'
import { listed } from './unmet.ts'

export interface ModelSources {
  /** Providers in the order in which defaults are searched. */
  providers: readonly Provider[]
  configs: ProviderConfigs
  /** The content of MODELS_FILE (`readModelsFile`). */
  file?: ModelsFile | undefined
  /** The operator's models for a capability: the first suitable one, then its fallbacks. */
  defaults: Partial<Record<Capability, readonly string[]>>
  /**
   * The first model of a capability is the default. Called each time, because models are installed while the service runs; the
   * same list while none is.
   */
  local(): readonly LocalModelRow[]
  /** The table of test keys: every model can be called, and costs nothing. */
  isOfTests?: boolean
}

export interface LocalModelRow {
  /** Name without `local/`. */
  name: string
  /** Empty for a model of an operation that can't use models of providers. */
  can: Partial<Record<Capability, ModelTraits>>
  facts?: LocalModelFacts
  /** Why it can't run, and the fix; undefined if it can. Read each time. */
  readonly unavailableReason?: string | undefined
}

export interface ModelTable extends Models {
  /** Finds a model by `provider/model`; undefined if the table doesn't have it. */
  find(model: string): TableModel | undefined
  /** A sentence that names the variables that enable a capability. */
  howToEnable(capability: Capability): string
  /** Facts for `GET /providers`: `local` first, then in the order of the registry. Without secrets. */
  list(): ProviderFacts[]
}

export interface TableModel {
  provider: string
  /** The row with the requested name. */
  row: ModelRow & { name: string }
  /** Why it can't be used, such as variables that are not set. Undefined if it can. */
  unavailableReason: string | undefined
}

export async function buildModelTable({
  providers,
  configs,
  file,
  defaults,
  local,
  isOfTests = false,
}: ModelSources): Promise<ModelTable> {
  const definitions = new Map(providers.map((provider) => [provider.id, provider]))
  checkNames([...(file?.keys() ?? [])], definitions)
  const localRows = createLocalRows(local)
  const tables: [string, TableProvider][] = [['local', localTable(localRows)]]
  for (const provider of providers) {
    const config = configs[provider.id] ?? { settings: {}, baseUrl: undefined }
    const unavailableReason = isOfTests ? undefined : missingConfigOf(provider, config)?.text
    const declared = typeof provider.models === 'function' ? await provider.models(config.settings) : provider.models
    const rows = mergeRows(declared, changesOf(provider.id, file))
    tables.push([
      provider.id,
      { id: provider.id, unavailableReason, rows: isOfTests ? rows.map((row) => ({ ...row, price: free })) : rows },
    ])
  }
  const choosing = { providers: new Map(tables), defaults }
  checkDefaults(defaults, choosing.providers)

  function find(model: string): TableModel | undefined {
    const { provider, name } = splitModel(model)
    const table = choosing.providers.get(provider)
    const row = table && rowOf(table.rows, name)
    return (
      row && {
        provider,
        row,
        unavailableReason:
          provider === 'local' && !isOfTests
            ? localRows().byName.get(name)?.unavailableReason
            : table?.unavailableReason,
      }
    )
  }

  return {
    find,
    choose: (required) => choose(required, choosing),
    ready(chain) {
      const able = chain.filter((model) => find(model)?.unavailableReason === undefined)
      return (able.length > 0 ? able : chain).map((model) => readyModel(model, find(model)))
    },
    costOf(chain, required) {
      const ranges = chain.map((model) => costOf(find(model), required))
      const known = ranges.filter((range) => range !== undefined)
      return known.length === ranges.length && known.length > 0 ? spanOf(known) : undefined
    },
    howToEnable: (capability) => howToEnable(capability, choosing.providers),
    list() {
      const defaults = defaultsOf(choosing)
      return tables.map(([id, table]) => listing(table, definitions.get(id), defaults, localRows().byName))
    },
  }
}

function readyModel(model: string, found: TableModel | undefined): ReadyModel {
  const recipe = found && recipeOf(found.row)
  return recipe === undefined ? { model } : { model, recipe }
}

const recipes = new WeakMap<ModelRow, string>()

/** A hash of the fields for the adapter, such as a graph, which may be large. Undefined if there are none. */
function recipeOf(row: ModelRow): string | undefined {
  const adapterFields = Object.entries(row).filter(([name]) => name.startsWith('x-'))
  if (adapterFields.length === 0) return undefined
  const recipe = recipes.get(row) ?? hash('sha256', JSON.stringify(adapterFields.sort(([a], [b]) => (a < b ? -1 : 1))))
  recipes.set(row, recipe)
  return recipe
}

interface LocalRows {
  rows: readonly ModelRow[]
  byName: ReadonlyMap<string, LocalModelRow>
}

/** The price of local models, and of all models for test keys. */
const free: Price = { per: 'call', usd: 0, asOf: '2026-11' }

/** Converted once for each list. */
function createLocalRows(local: ModelSources['local']): () => LocalRows {
  let converted: (LocalRows & { from: readonly LocalModelRow[] }) | undefined
  return () => {
    const from = local()
    if (converted?.from !== from) {
      const rows = from.map(({ name, can }) => ({ name, can, price: free }))
      converted = { from, rows, byName: new Map(from.map((row) => [row.name, row])) }
    }
    return converted
  }
}

function localTable(localRows: () => LocalRows): TableProvider {
  return {
    id: 'local',
    unavailableReason: undefined,
    get rows() {
      return localRows().rows
    },
  }
}

function changesOf(provider: string, file: ModelsFile | undefined): ModelsFile {
  const changes = [...(file ?? [])].filter(([model]) => splitModel(model).provider === provider)
  return new Map(changes.map(([model, change]) => [splitModel(model).name, change]))
}

function checkNames(models: readonly string[], providers: ReadonlyMap<string, Provider>): void {
  for (const model of models) {
    const { provider } = splitModel(model)
    if (!providers.has(provider)) {
      throw new Error(
        `MODELS_FILE: the provider of the model ${show(model)} doesn't exist. ${didYouMean(provider, providers.keys()) || `Providers: ${[...providers.keys()].join(', ')}.`}`,
      )
    }
  }
}

/** Rejects defaults that no node can use, before a user meets them. */
function checkDefaults(defaults: ModelSources['defaults'], providers: ReadonlyMap<string, TableProvider>): void {
  const choosing = { providers, defaults: {} }
  for (const capability of capabilities) {
    for (const model of defaults[capability] ?? []) {
      const [issue] = choose({ capability, model, requirements: [] }, choosing).issues
      const variable = `${capability.toUpperCase().replaceAll('-', '_')}_MODEL`
      if (issue) throw new Error(`${variable} ${issue.message.replace(/[.]$/, '')}.`)
    }
  }
}

function costOf(model: TableModel | undefined, { capability, requirements }: ModelRequirements): CostRange | undefined {
  const price = model && pricesOf(model.row)?.[capability]
  const traits = model?.row.can[capability]
  if (!price || !traits) return undefined
  const size = requirements.find((want) => want.kind === 'size')?.value
  const scale = requirements.find((want) => want.kind === 'scale')?.value
  return rangeOf(price, { size, scale, traits })
}

function howToEnable(capability: Capability, providers: ReadonlyMap<string, TableProvider>): string {
  const able = [...providers.values()].filter(({ rows }) => rows.some(({ can }) => can[capability] !== undefined))
  const ways = able.flatMap(({ id, unavailableReason }) =>
    id === 'local' || unavailableReason === undefined ? [] : [`${id} (${unavailableReason})`],
  )
  const who = `No configured provider supports ${capability}. The operator can`
  return ways.length === 0 ? `${who} add a model by MODELS_FILE.` : `${who} enable ${listed(ways)}.`
}

/** The capabilities for which a model is the default, by model. */
function defaultsOf(choosing: Choosing): Map<string, Capability[]> {
  const firsts = capabilities.map((capability) => choose({ capability, requirements: [] }, choosing).chain[0])
  return new Map(
    firsts.flatMap((model) =>
      model === undefined ? [] : [[model, capabilities.filter((_, at) => firsts[at] === model)]],
    ),
  )
}

function listing(
  { id, rows, unavailableReason }: TableProvider,
  definition: Provider | undefined,
  defaults: ReadonlyMap<string, Capability[]>,
  local: ReadonlyMap<string, LocalModelRow>,
): ProviderFacts {
  return {
    id,
    title: definition?.title ?? 'Local models',
    summary: definition?.summary ?? 'Models that run in the service itself, without a key and without cost.',
    docsUrl: definition?.docsUrl,
    isConfigured: unavailableReason === undefined,
    unavailableReason,
    models: rows.map((row) => {
      const { unavailableReason, facts } = (id === 'local' && local.get(row.name)) || {}
      const defaultFor = defaults.get(`${id}/${row.name}`) ?? []
      return {
        name: row.name,
        can: row.can,
        price: pricesOf(row),
        defaultFor,
        ...(unavailableReason && { unavailableReason }),
        ...(facts && { local: facts }),
      }
    }),
  }
}
