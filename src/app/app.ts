/** The composition root: creates the implementation of each port and passes it to its users. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Tintype } from '../../client/src/client.ts'
import type { Config } from '../config/config.ts'
import type { Account } from '../domain/accounts/account.ts'
import { type Caller, noRunLink } from '../domain/accounts/key.ts'
import { isTwin, ofLiveAccounts } from '../domain/accounts/twin.ts'
import { createFairQueue } from '../domain/fair-queue.ts'
import { createChecker } from '../engine/check/check.ts'
import { createPixelBudget } from '../engine/run/pixel-budget.ts'
import type { Executor } from '../executor/executor.ts'
import type { Server } from '../http/server.ts'
import type { Services } from '../http/services.ts'
import { createImaging } from '../imaging/raster/imaging.ts'
import { limits } from '../limits.ts'
import { createFetcher } from '../net/fetch-source.ts'
import { createLookup } from '../net/lookup.ts'
import { catalogue } from '../operations/index.ts'
import { Processes } from '../processes/processes.ts'
import { createAccountKeys } from '../services/accounts/account-keys.ts'
import { type AccountRemoval, createAccountRemoval } from '../services/accounts/account-removal.ts'
import type { Accounts } from '../services/accounts/accounts.ts'
import { createBrands } from '../services/accounts/brands.ts'
import { createFonts } from '../services/accounts/fonts.ts'
import { createProjects } from '../services/accounts/projects.ts'
import { createRequestCounts } from '../services/accounts/request-counts.ts'
import { createSessions } from '../services/accounts/sessions.ts'
import { createEventStreams } from '../services/event-streams.ts'
import { createEstimates } from '../services/executions/estimates.ts'
import { createExecutionEvents } from '../services/executions/execution-events.ts'
import { createExecutions } from '../services/executions/executions.ts'
import { createOpenAiImages } from '../services/executions/openai-images.ts'
import { createRequestParameters } from '../services/executions/request-parameters.ts'
import { createSources } from '../services/executions/sources.ts'
import { createIdempotency } from '../services/idempotency.ts'
import { createBin } from '../services/images/bin.ts'
import { createImageUrls } from '../services/images/image-urls.ts'
import { createImageUses } from '../services/images/image-uses.ts'
import { createImages } from '../services/images/images.ts'
import { tryDeleteOrphanedBlob } from '../services/images/orphaned-blobs.ts'
import { createPrivacy } from '../services/images/privacy.ts'
import { createAgentTools } from '../services/workflows/agent-tools.ts'
import { createChannels } from '../services/workflows/channels.ts'
import { createDocumentChecks } from '../services/workflows/document-checks.ts'
import { createDrafts } from '../services/workflows/drafts.ts'
import { createOpenAiModels } from '../services/workflows/openai-models.ts'
import { createRunLinks } from '../services/workflows/run-links.ts'
import { createRunnableDrafts } from '../services/workflows/runnable-drafts.ts'
import { createSvgImports } from '../services/workflows/svg-imports.ts'
import { createVersionCache } from '../services/workflows/version-cache.ts'
import { createVersionChooser } from '../services/workflows/version-chooser.ts'
import { createWorkflows } from '../services/workflows/workflows.ts'
import type { Database, Stores } from '../storage/database/open.ts'
import { retentionKinds } from '../storage/database/retention/kinds.ts'
import { createRemoval } from '../storage/database/retention/removal.ts'
import { createRetention } from '../storage/database/retention/sweeper.ts'
import { isServed, takeServeLock } from '../storage/database/serve-lock.ts'
import type { MetricSources } from '../telemetry/metrics.ts'
import { startWorker, type Worker, type WorkerOptions } from '../worker/loop.ts'
import { createPerform } from '../worker/perform.ts'
import { createBatchServices } from './batches.ts'
import { openBlobs, waitForBlobs } from './blobs.ts'
import { createConsole } from './console.ts'
import { openCredentials } from './credentials.ts'
import { createDeliveryServices } from './deliveries.ts'
import { openDiskSpace } from './disk-space.ts'
import { createDocs } from './docs.ts'
import { createPreviewing } from './draft-previews.ts'
import {
  createConvertSvg,
  createDecoding,
  createInspect,
  createInspectFont,
  type Decoding,
  downloadToInspect,
} from './images.ts'
import { logFailure } from './log.ts'
import { createCollector } from './memory.ts'
import { createModelProviders, createModelTables, createProviderModelClient } from './models.ts'
import { createQueueAndNotices, createRateCounter, type Queueing, type QueueOptions } from './queue.ts'
import { createReadiness } from './readiness.ts'
import { openRecordServices } from './records.ts'
import { createResults } from './results.ts'
import { startSweep } from './sweep.ts'
import { cachedQueue } from './telemetry.ts'
import { openUrls } from './urls.ts'
import { version } from './version.ts'
import { openWebhooks } from './webhooks.ts'

export interface App {
  accounts: Accounts
  accountRemoval: Pick<AccountRemoval, 'remove'>
  services: Omit<Services, 'openApi'>
  /** Decodes uploads, renders thumbnails, and repeats executions. */
  decoding: Pick<Decoding, 'inspect' | 'renderImage' | 'reexecute'>
  openServer(): Promise<Server>
  /** The API for commands of the operator, as this account and without a network. */
  openApi(account: Account): Promise<{ client: Tintype; close(): Promise<void> }>
  /** False when another process executes workflows on this data directory already. With PostgreSQL, any number of processes can. */
  lock(): boolean
  /** See `Database`. */
  exclusively: Database['exclusively']
  /** Waits a while for storage. Throws an error that names it if bytes can't be stored. */
  checkBlobs(): Promise<void>
  /** Recovers executions that a crash interrupted, then runs executions. Requires the lock. */
  startWorker(options?: Pick<WorkerOptions, 'onClaimed'>): Promise<Worker>
  /** The URL that clients use, known once the port is. Stored in the database, for commands. */
  setPublicUrl(url: string): Promise<void>
  setReady(ready: boolean): void
  metricSources: MetricSources
  /** Starts to make executions of the rows of batches. */
  startBatches(): { stop(): Promise<void> }
  /** Starts to deliver webhooks. Any number of processes can. */
  startSending(): { stop(graceSeconds: number): Promise<void> }
  /** Starts the background jobs that clean up after crashes and deletions. */
  startSweeping(): { stop(): Promise<void> }
  close(): Promise<void>
}

export interface AppOptions extends QueueOptions {
  /** Decodes in this app's place. */
  executor?: Executor | undefined
  /** Wraps each port. Tests inject faults with it. */
  port?<Port extends object>(name: string, port: Port): Port
}

export async function createApp(config: Config, log: Logger, options: AppOptions = {}): Promise<App> {
  const { port = (_, same) => same, executor } = options
  // First, so that errors in files of the operator are reported before anything is opened.
  const { live: models, test: testModels, of: modelsOf } = await createModelTables(config)
  // The service reports what its executor commits.
  const records = await openRecordServices(config, { syncsInCommit: options.link !== undefined })
  const orClose = <Part>(part: Promise<Part>) =>
    part.catch((error) => records.close().then(() => Promise.reject(error)))
  // Into the data folder of these records, so only after they are accepted.
  const credentials = await orClose(openCredentials(config, options.link ? undefined : log))
  const { accounts, activity, auditLog, keys, signingKeys, usage } = records
  const { clock } = records.database
  const stores = ofTwins(eachPort(records.database.stores, port))
  const database = { ...records.database, stores }
  const blobs = port('blobs', await openBlobs(config))
  const disk = openDiskSpace(config, log)
  const queueing: Queueing = await orClose(createQueueAndNotices(config, database, log, { ...executor, ...options }))
  const notices = port('notices', queueing.notices)
  const processes = new Processes()
  const imaging = createImaging({
    processes,
    pixelsMax: config.imagePixelsMax,
    marksAiImages: config.markAiImages,
    isOfTests: isTwin,
  })
  const lookup = createLookup({ servers: config.dnsServers })
  const fetcher = createFetcher({
    lookup,
    allow: config.fetchAllow,
    bytesMax: config.uploadBytesMax,
    timeoutSeconds: config.fetchTimeoutSeconds,
    redirectsMax: limits.fetchRedirectsMax,
  })
  const check = createChecker(catalogue, models)
  const pixels = createPixelBudget(
    config.pixelsInFlightMax,
    limits.executionImagesMax * config.imagePixelsMax,
    config.executionMemoryBytesMax / 4,
    createCollector(),
  )

  const places = createFairQueue({})
  const inspect = createInspect(imaging, pixels, credentials.factsIn)

  const urls = await openUrls(config, stores.serviceUrls)
  const retention = createRetention({
    db: database.kysely,
    dialect: database.dialect,
    clock,
    kinds: retentionKinds(config),
  })
  const common = { config, log, clock, database, stores, retention, blobs, models, modelsOf }
  const readiness = createReadiness({ ...common, executor })

  const documents = createDocumentChecks({ workflows: stores.workflows, check })
  const versionCache = createVersionCache({ ...stores, documents })
  const versionChooser = createVersionChooser(stores)
  const sources = createSources({
    images: stores.images,
    blobs,
    download: downloadToInspect(processes, fetcher.fetch),
    downloadsMax: config.fetchesPerAccountMax,
    bytesMax: config.uploadBytesMax,
    credentialsOf: credentials.factsIn,
    ownUrls: urls.ofImages,
  })
  const inspectFont = createInspectFont(processes, pixels)
  const fonts = createFonts({ ...stores, blobs, removals: stores.blobRemovals, inspect: inspectFont, clock })
  const brands = createBrands({ brands: stores.brands, projects: stores.projects, sources, clock })
  const decoding = createDecoding({
    ...common,
    check,
    documents,
    versionCache,
    imaging,
    inspect,
    processes,
    pixels,
    sources,
    fonts,
    brands,
    places,
    executor,
  })
  const { caches, stepReuse, checkpointStore, previews } = createResults({
    ...common,
    imaging,
    sources,
    fonts,
    signing: credentials.signing,
  })
  const privacy = createPrivacy(config.imagesUrl)
  const images = createImages({
    images: stores.images,
    projects: stores.projects,
    accounts: stores.accounts,
    uploadsKeptDays: config.uploadsKeptDays,
    blobs,
    removals: stores.blobRemovals,
    inspect: decoding.inspect,
    clock,
    uploadBytesMax: config.uploadBytesMax,
    urlsOf: createImageUrls({ clock, serviceUrl: urls.service, imagesUrl: urls.images }),
    privacy,
    quotas: stores.quotas,
    disk,
  })
  const webhooks = openWebhooks({ ...common, lookup })
  const requestParameters = createRequestParameters({ sources, images, brands })
  const runnableDrafts = createRunnableDrafts({ drafts: stores.drafts, workflows: stores.workflows, documents })
  const streams = createEventStreams(config.eventStreamsMax)
  const executions = createExecutions({
    executions: stores.executions,
    calls: stores.providerCalls,
    previews,
    workflows: stores.workflows,
    versionChooser,
    versionCache,
    runnableDrafts,
    requestParameters,
    queue: queueing.queue,
    requireWebhookUrl: webhooks.service.requireUrl,
    notices,
    streams,
    clock,
    waitingMax: config.executionsWaitingMax,
    disk,
  })
  const batches = createBatchServices({
    ...common,
    versionCache,
    versionChooser,
    brands,
    requestParameters,
    stepReuse,
    executions,
    queue: queueing.queue,
    notices,
    streams,
    disk,
    requireWebhookUrl: webhooks.service.requireUrl,
  })
  const requestCounts = createRequestCounts({
    activity: stores.activity,
    clock,
    onError: (err) => log.warn({ err }, 'counts of requests could not be written: later'),
  })
  const workflows = createWorkflows({
    workflows: stores.workflows,
    versionChooser,
    projects: stores.projects,
    documents,
    clock,
    estimates: createEstimates({ executions: stores.executions }),
    stepReuse,
    requestParameters,
    brands,
    modelsOf,
  })
  const removal = createRemoval({ db: database.kysely, dialect: database.dialect, clock })
  const accountRemoval = createAccountRemoval({ ...stores, removal, blobs, removals: stores.blobRemovals, clock })
  const projects = createProjects({
    projects: stores.projects,
    privacy,
    removal,
    removeBlob: (key) => tryDeleteOrphanedBlob(key, blobs, stores.blobRemovals),
    clock,
  })
  const idempotency = createIdempotency({ store: stores.idempotency, clock })
  const openAiModels = createOpenAiModels({ ...stores, versionChooser, versionCache })
  const counter = createRateCounter(database, log)
  const services: App['services'] = {
    workflows,
    svgImports: createSvgImports({ images, workflows, convert: createConvertSvg(processes, pixels) }),
    channels: createChannels({ workflows: stores.workflows, channels: stores.channels, clock }),
    drafts: createDrafts({ ...stores, documents, brands, clock }),
    draftPreviews: createPreviewing({
      ...common,
      runnableDrafts,
      requestParameters,
      stepReuse,
      processes,
      pixels,
      imaging,
      sources,
      places,
      executor,
    }),
    ...decoding.services,
    ...batches.services,
    ...createDeliveryServices({
      ...common,
      signingKeys,
      versionCache,
      versionChooser,
      requestParameters,
      sources,
      executions,
      serviceUrl: urls.service,
      render: decoding.renderImage,
    }),
    executions,
    executionEvents: createExecutionEvents({
      executions: stores.executions,
      steps: executions.tellable,
      notices,
      streams,
      onError: (err, facts) => log.warn({ err, ...facts }, "the events of an execution can't be read: later"),
    }),
    previews,
    images,
    bin: createBin({ ...stores, clock }),
    imageUses: createImageUses(stores),
    agentTools: createAgentTools(stores),
    openSource: async (...source) => (await sources.open(...source)).bytes,
    fonts,
    brands,
    verification: credentials.verification(decoding.reexecute),
    projects,
    providers: createModelProviders(config, modelsOf),
    usage,
    activity,
    auditLog,
    requestCounts,
    keys,
    accountKeys: createAccountKeys({
      keys: stores.keys,
      calls: stores.providerCalls,
      runLinks: records.runLinks,
      clock,
    }),
    runLinks: createRunLinks({
      workflows: stores.workflows,
      executions,
      images,
      callsModels: (operation) => catalogue.get(operation)?.usesModel !== undefined,
      counter,
    }),
    signingKeys,
    sessions: createSessions({ sessions: stores.sessions, keyStore: stores.keys, keys, clock }),
    webhooks: webhooks.service,
    counter,
    idempotency,
    openAiModels,
    openAiImages: createOpenAiImages({ models: openAiModels, executions, idempotency, images }),
    catalogue,
    clock,
    syncWaitSeconds: config.syncWaitSeconds,
    baseUrl: urls.api,
    securityContact: config.securityContact,
    hasConsole: config.console,
    docsUrl: () => (config.docs ? `${urls.service()}/guide` : undefined),
    version,
    readiness: readiness.problem,
  }
  const modelClient = createProviderModelClient({
    ...common,
    testModels,
    lookup,
    calls: stores.providerCalls,
    executions: stores.executions,
    accounts: stores.accounts,
    batches: stores.batches,
    keys: stores.keys,
    signingKeys: stores.signingKeys,
    inspect: (file, signal) => inspect(file, { signal }),
  })
  const perform = createPerform({
    executions: stores.executions,
    notices,
    workflows: stores.workflows,
    blobs,
    versionCache,
    sources,
    reuse: stepReuse,
    caches,
    checkpointStore,
    previews,
    modelClient,
    encode: imaging.encode,
    named: imaging,
    outputCredentials: credentials.forOutputs({ images: stores.images, sources }),
    clock,
    outputsKeptDays: config.outputsKeptDays,
    timeoutSeconds: config.executionTimeoutSeconds,
    pixelsMax: config.imagePixelsMax,
    processes,
    pixels,
    onUnwritten: (err) => log.warn({ err }, 'steps of running executions could not be written: later'),
    onFailure: (execution, fault) => logFailure(log, execution, fault),
  })
  let serveLock: ReturnType<typeof takeServeLock>
  return {
    accounts,
    accountRemoval,
    services,
    decoding,
    async openServer() {
      const { createHttp } = await import('./http.ts')
      const site = createConsole(config, () => [urls.service(), urls.images()])
      return createHttp(config, services, log, { site, docs: createDocs(config, log) })
    },
    async openApi(account) {
      const [{ createHttp }, { Tintype }] = await Promise.all([
        import('./http.ts'),
        import('../../client/src/client.ts'),
      ])
      const noBudget = { dailyBudget: null, monthlyBudget: null }
      const key: Caller['key'] = { id: undefined, permissions: ['all'], expiresAt: null, ...noBudget, ...noRunLink }
      const caller = { key, account } satisfies Caller
      const ofCommand = { ...services, keys: { ...keys, authenticate: async () => caller } }
      // Commands are not in the log of requests.
      const quiet = log.child({}, { level: 'warn' })
      const { respond, close } = createHttp(config, ofCommand, quiet, { site: undefined, docs: undefined })
      // Neither the address nor the key is used.
      return { client: new Tintype({ url: 'http://localhost', key: 'command', fetch: respond }), close }
    },
    lock() {
      if (database.engine === 'postgres') return true
      serveLock ??= takeServeLock(join(config.dataDir, 'serve.lock'))
      return serveLock !== undefined
    },
    exclusively: database.exclusively,
    checkBlobs: () => waitForBlobs(blobs, config, (problem) => log.warn({ problem }, 'waiting for storage')),
    async startWorker(options) {
      await queueing.recover()
      return startWorker({
        queue: queueing.queue,
        executions: stores.executions,
        notices,
        perform,
        runningMax: config.executionsRunningMax,
        places,
        clock,
        ...options,
        onError: (err) => log.error({ err }, 'the worker failed'),
        onUnchecked: (err) => log.warn({ err }, 'running executions could not be checked: later'),
        onUnparked: (err) =>
          log.warn({ err }, 'an execution that waits for a provider could not be recorded as waiting'),
      })
    },
    setPublicUrl: urls.set,
    setReady: readiness.set,
    metricSources: {
      // The service and the workers have it, so that a restart of the executor makes no gap.
      queue:
        options.link === undefined
          ? cachedQueue(stores.executions, (err) => log.warn({ err }, 'the queue could not be read for metrics'))
          : undefined,
      connections: database.connections,
      isKnownModel: (name) => models.find(name) !== undefined,
    },
    startBatches: batches.start,
    startSweeping: () =>
      startSweep({
        ...common,
        modelClient,
        activity,
        accountRemoval,
        projects,
        webhooks,
      }),
    startSending: () => webhooks.startSending(images),
    async close() {
      await modelClient.close(lateAnswersMs)
      processes.stop()
      await credentials.close()
      await caches?.close()
      await queueing.close()
      await requestCounts.close()
      await records.close()
      serveLock?.release()
    },
  }
}

/** Time for responses of paid model calls that are still in flight after all executions were returned to the queue. */
const lateAnswersMs = 3_000

/** Whether another process executes workflows on this data directory. Call it before `createApp`, which opens the database. */
export function isTaken({ dataDir, databaseUrl }: Config): boolean {
  return databaseUrl === undefined && isServed(join(dataDir, 'serve.lock'))
}

/** Twins use these records of the live account. */
function ofTwins(stores: Stores): Stores {
  const { workflows, channels, drafts, brands, fonts, projects } = stores
  return {
    ...stores,
    workflows: ofLiveAccounts(workflows),
    channels: ofLiveAccounts(channels),
    drafts: ofLiveAccounts(drafts),
    brands: ofLiveAccounts(brands),
    fonts: ofLiveAccounts(fonts),
    projects: ofLiveAccounts(projects),
  }
}

function eachPort(stores: Stores, port: NonNullable<AppOptions['port']>): Stores {
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, port(name, store)]),
  ) as unknown as Stores
}
