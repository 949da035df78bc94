/** Composition of the model catalog and the model client. */
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import { type Config, ConfigError, modelsByCapability, modelsDir, settings } from '../config/config.ts'
import type { AccountStore } from '../domain/accounts/account.ts'
import type { KeyStore } from '../domain/accounts/key.ts'
import { isTwin } from '../domain/accounts/twin.ts'
import type { BatchStore } from '../domain/batches/batch.ts'
import type { Clock } from '../domain/clock.ts'
import type { SigningKeyStore } from '../domain/delivery/signing-key.ts'
import type { ExecutionStore } from '../domain/executions/execution.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { Budgets, ProviderCallStore } from '../domain/models/provider-call.ts'
import { microsOrNull } from '../domain/money.ts'
import { type LocalRow, localRows } from '../local-models/local-rows.ts'
import { setModelMemory } from '../local-models/runner.ts'
import { requireInstalled, setModelsFolder } from '../local-models/store.ts'
import { createProviderHttp, type ProviderHttp } from '../net/provider-http.ts'
import type { CallDependencies } from '../providers/calls/context.ts'
import { createModelClient, type ProviderModelClient, type TestProviders } from '../providers/calls/model-client.ts'
import { type ModelsFile, readModelsFile } from '../providers/catalog/models-file.ts'
import { buildModelTable, type LocalModelRow, type ModelTable } from '../providers/catalog/table.ts'
import { fakeOf, noHttp } from '../providers/fake.ts'
import { providersById } from '../providers/index.ts'
import { missingConfigOf } from '../providers/settings.ts'
import { monthlyBudgetOf } from '../services/accounts/usage.ts'
import { createProviders, type Providers } from '../services/providers.ts'

/**
 * Creates the table of models; from here on, installed local models are found. Throws a `ConfigError` that lists the
 * problems in MODELS_FILE and in the settings that name models.
 */
export async function createModelTable(config: Config): Promise<ModelTable> {
  return (await createModelTables(config)).live
}

/** The models of an account: those of test keys, or of the service. */
export type ModelsOf = (accountId?: string) => ModelTable

export async function createModelTables(config: Config): Promise<{ live: ModelTable; test: ModelTable; of: ModelsOf }> {
  setModelsFolder(modelsDir(config))
  setModelMemory(config.localModelsMemoryBytesMax)
  const sources = {
    providers: [...providersById.values()],
    configs: config.providers,
    file: await modelsFileOf(config),
    defaults: modelsByCapability(config),
    local: createLocal(),
  }
  const live = await buildModelTable(sources).catch(refuse)
  const test = await buildModelTable({ ...sources, isOfTests: true }).catch(refuse)
  return { live, test, of: (accountId = '') => (isTwin(accountId) ? test : live) }
}

export function createModelProviders(config: Config, modelsOf: (accountId?: string) => ModelTable): Providers {
  return createProviders({
    modelsOf,
    missingOf(id) {
      const provider = providersById.get(id)
      const providerConfig = config.providers[id]
      const lack = provider && providerConfig && missingConfigOf(provider, providerConfig)
      // If one of several settings is enough, only the sentence names them.
      return lack?.variables.length === 0 ? (lack.text.match(variables) ?? []) : (lack?.variables ?? [])
    },
  })
}

const variables = /\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g

/** Providers for the operator's command, with their base URLs. */
export async function createProviderList(config: Config) {
  const providers = createModelProviders(config, (await createModelTables(config)).of)
  return {
    list: () =>
      providers.list().map(({ id, title, isConfigured, missing, unavailableReason, models }) => ({
        id,
        title,
        configured: isConfigured,
        missing,
        problem: unavailableReason ?? null,
        capabilities: [...new Set(models.flatMap(({ can }) => Object.keys(can)))],
        baseUrl: config.providers[id]?.baseUrl ?? null,
        models,
      })),
    async close() {},
  }
}

interface ModelClientOptions {
  config: Config
  log: Logger
  clock: Clock
  models: ModelTable
  testModels: ModelTable
  calls: ProviderCallStore
  blobs: BlobStore
  executions: ExecutionStore
  accounts: AccountStore
  batches: Pick<BatchStore, 'maxCostOf'>
  keys: Pick<KeyStore, 'find'>
  signingKeys: Pick<SigningKeyStore, 'find'>
  lookup: LookupFunction
  inspect: CallDependencies['inspect']
}

export function createProviderModelClient({
  config,
  log,
  accounts,
  batches,
  keys,
  signingKeys,
  lookup,
  testModels,
  ...rest
}: ModelClientOptions): ProviderModelClient {
  const live: CallDependencies = {
    ...rest,
    providers: providersById,
    configs: config.providers,
    http: httpOf(config, lookup),
    async budgets({ accountId, keyId, batchId }) {
      const budgets: Budgets = budgetsOf(config, await accounts.find(accountId))
      if (batchId !== undefined) budgets.batch = { id: batchId, micros: await batches.maxCostOf(batchId) }
      if (keyId?.startsWith('skey_')) {
        // Without a budget, its URLs run nothing that costs money.
        budgets.signingKeyMonthMicros = (await signingKeys.find(accountId, keyId))?.monthlyBudget ?? 0
      } else if (keyId !== null) {
        const key = await keys.find(keyId)
        budgets.keyDayMicros = key?.dailyBudget
        budgets.keyMonthMicros = key?.monthlyBudget
      }
      return budgets
    },
    onError: (err) => log.error({ err }, 'a request to an AI provider failed unexpectedly'),
    othersFinishMs: config.databaseUrl === undefined ? 0 : othersFinishMs,
  }
  return createModelClient(live, testProviders(testModels))
}

/** Fakes without keys, addresses and budgets: no call of a test key can reach a provider or cost something. */
function testProviders(models: ModelTable): TestProviders {
  const local = { id: 'local', title: 'Local models', summary: '', docsUrl: '', concurrency: fakeLocalMax }
  const none = { settings: {}, baseUrl: { names: ['TEST'] } } as const
  const fakes = [{ ...local, ...none }, ...providersById.values()].map(fakeOf)
  return {
    models,
    providers: new Map(fakes.map((fake) => [fake.id, fake])),
    configs: Object.fromEntries(fakes.map(({ id }) => [id, { settings: {}, baseUrl: 'test:' }])),
    http: () => noHttp,
    isOfTests: true,
    budgets: async () => ({ executionMicros: null, accountMonthMicros: null }),
  }
}

const fakeLocalMax = 4

/** A process that shuts down waits some seconds for responses in flight, and stores them. */
const othersFinishMs = 10_000

function budgetsOf(config: Config, account: Awaited<ReturnType<AccountStore['find']>>): Budgets {
  return {
    executionMicros: microsOrNull(config.executionBudgetUsd),
    accountMonthMicros: monthlyBudgetOf(account ?? {}, microsOrNull(config.accountBudgetUsdPerMonth)),
  }
}

/** One HTTP client for each provider, created on first use. */
function httpOf(config: Config, lookup: LookupFunction): (provider: string) => ProviderHttp {
  const clients = new Map<string, ProviderHttp>()
  return (id) => {
    const { baseUrl } = config.providers[id] ?? {}
    if (baseUrl === undefined) throw new Error(`${id} has no base URL`)
    const { ownOrigins = [] } = providersById.get(id) ?? {}
    const client =
      clients.get(id) ??
      createProviderHttp({ baseUrl, ownOrigins, allow: config.fetchAllow, bytesMax: config.uploadBytesMax, lookup })
    clients.set(id, client)
    return client
  }
}

async function modelsFileOf({ modelsFile: path }: Config): Promise<ModelsFile | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([
      `${settings.modelsFile.name} must be a readable file, but ${JSON.stringify(path)} can't be read (${error.code}).`,
    ])
  })
  return readModelsFile(text, path).catch(refuse)
}

function refuse(error: unknown): never {
  throw new ConfigError([error instanceof Error ? error.message : String(error)])
}

/** The same list while no model is added or removed. */
function createLocal(): () => readonly LocalModelRow[] {
  let converted: { from: readonly LocalRow[]; rows: readonly LocalModelRow[] } | undefined
  return () => {
    const from = localRows()
    if (converted?.from !== from) converted = { from, rows: from.map(localRow) }
    return converted.rows
  }
}

function localRow({ name, can, facts, model }: LocalRow): LocalModelRow {
  return {
    name,
    can,
    facts,
    // Read for each call, because models can be installed while the service runs.
    get unavailableReason() {
      return lackOfLocal(model)
    },
  }
}

function lackOfLocal(model: Parameters<typeof requireInstalled>[0]): string | undefined {
  try {
    requireInstalled(model)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
