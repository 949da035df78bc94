/** Every setting, once: name, summary, default, parser. The docs page, `.env.example` and `--help` are derived. */

import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import type { QuotaSettings } from '../domain/accounts/quota.ts'
import type { DaysByPlan } from '../domain/images/expiry.ts'
import { limits } from '../limits.ts'
import { providersById } from '../providers/index.ts'
import { type ProviderConfigs, readProviders, secretsOf } from '../providers/settings.ts'
import { credentialProblems, credentialSettings } from './credential-settings.ts'
import { quotaSettings, quotasOf } from './quota-settings.ts'
import { type Setting, secret, setting } from './setting.ts'
import {
  contact,
  databaseUrl,
  daysByPlan,
  dollars,
  hosts,
  httpUrl,
  integer,
  modelList,
  nameServers,
  networks,
  nonEmpty,
  number,
  oneOf,
  originUrl,
  port,
  trueOrFalse,
} from './setting-values.ts'
import { parseStorageUrl, type StorageLocation } from './storage-url.ts'

/** Memory of the container, if it has a limit, otherwise of the machine. */
export const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * Minimum of days: until then, clients resume executions and streams of events, and the calls of AI providers are
 * stored.
 */
const executionsKeptDaysMin = 7

export const settings = {
  port: setting('PORT', 'Port to listen on. 0 selects a free port.', 8080, port),
  host: setting('HOST', 'Address to listen on. `0.0.0.0` or `::` for all addresses.', '127.0.0.1', nonEmpty),
  publicUrl: setting(
    'PUBLIC_URL',
    'URL at which clients reach the service, without a path: `https://images.example.com`. URLs in responses start with it.',
    undefined as string | undefined,
    originUrl,
    'http://HOST:PORT',
  ),
  hstsSeconds: setting(
    'HSTS_MAX_AGE_SECONDS',
    'Sends `Strict-Transport-Security` with this `max-age`, if `PUBLIC_URL` starts with `https://`. Browsers then use only HTTPS for this host name, for this number of seconds.',
    undefined as number | undefined,
    integer(0, 315_360_000),
    'not sent',
  ),
  securityContact: setting(
    'SECURITY_CONTACT',
    'Email address or URL for reports of vulnerabilities. `/.well-known/security.txt` then shows it.',
    undefined as string | undefined,
    contact,
    'none',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    'Proxies in front of the service: IP addresses and CIDR blocks, comma-separated, such as `127.0.0.1,10.0.0.0/8`. If a request comes from one of them, the client address is read from `X-Forwarded-For`.',
    [] as string[],
    networks,
    'none',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    'Open connections of each process. More are closed immediately.',
    limits.connectionsMax,
    integer(1, 1_000_000),
  ),
  connectionsPerAddressMax: setting(
    'CONNECTIONS_PER_ADDRESS_MAX',
    'Open connections of one client address (IPv6: one /64 network). More are closed immediately. `TRUSTED_PROXIES` are exempt.',
    limits.connectionsPerAddressMax,
    integer(1, 1_000_000),
  ),
  wrongKeysPerMinuteMax: setting(
    'WRONG_KEYS_PER_MINUTE_MAX',
    'Requests with a wrong key from one client address in a minute, in each process. More get 429 instead of 401, and are not logged one by one. Valid keys always pass.',
    limits.wrongKeysPerMinuteMax,
    integer(1, 1_000_000),
  ),
  signInsPerMinuteMax: setting(
    'SIGN_INS_PER_MINUTE_MAX',
    'Sign-ins to the console from one client address in a minute, in each process. More get 429.',
    limits.signInsPerMinuteMax,
    integer(1, 1_000_000),
  ),
  imagesUrl: setting(
    'IMAGES_URL',
    'Start of image URLs if a CDN or a bucket serves the images.',
    undefined as string | undefined,
    httpUrl,
    'PUBLIC_URL/images',
  ),
  console: setting(
    'CONSOLE',
    'Serves the console at `/`: true or false. Without the console, `/` redirects to the API reference.',
    true,
    trueOrFalse,
  ),
  docs: setting(
    'DOCS',
    'Serves the documentation at `/guide`, and links to it in error responses and in the console: true or false. The API reference at `/docs` is always available.',
    true,
    trueOrFalse,
  ),
  dataDir: setting(
    'DATA_DIR',
    'Folder for all data: database and images.',
    resolve('data'),
    (text) => resolve(nonEmpty(text)),
    './data',
  ),
  firstKeyFile: setting(
    'FIRST_KEY_FILE',
    'File for the API key of the first start; only the owner can read it. Without this setting, the first start prints the key once. Set it if the output is stored as a log.',
    undefined as string | undefined,
    (text) => resolve(nonEmpty(text)),
    'none: the first start prints the key',
  ),
  databaseUrl: secret(
    setting(
      'DATABASE_URL',
      'PostgreSQL 15 or newer for the records, shared by all processes: `postgres://user:password@host:5432/database`. Connect to the server itself or to a pooler in session mode.',
      undefined as string | undefined,
      databaseUrl,
      'SQLite in DATA_DIR',
    ),
  ),
  databaseConnectionsMax: setting(
    'DATABASE_CONNECTIONS_MAX',
    'Maximum number of connections of each process to PostgreSQL. The queue and notifications use two or three more.',
    10,
    integer(2, 1_000),
  ),
  storageUrl: secret(
    setting(
      'STORAGE_URL',
      'Storage of image files: `s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1` (without `endpoint`, AWS; credentials come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`), or a folder that all machines share, `file:///var/lib/tintype/blobs`.',
      undefined as StorageLocation | undefined,
      parseStorageUrl,
      'DATA_DIR/blobs',
    ),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'Log level: trace, debug, info, warn, error or silent.',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  metricsPort: setting(
    'METRICS_PORT',
    'Port on HOST at which a service or a worker has its metrics for Prometheus (`/metrics`), and `/health/live`. Anyone who reaches it can read them: do not publish it. 0 selects a free port, and the log has it.',
    undefined as number | undefined,
    port,
    'none: metrics are disabled',
  ),
  tracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'URL of an OpenTelemetry collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. Enables traces. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_EXPORTER_OTLP_COMPRESSION`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have their usual meaning.',
    undefined as string | undefined,
    httpUrl,
    'none: traces are disabled',
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    'Traces that are recorded, as in the OpenTelemetry specification: always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio. With `parentbased`, the caller decides if it sends `traceparent`.',
    'parentbased_always_on',
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  ),
  tracesSamplerRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of the traces that a sampler with `traceidratio` records, from 0 to 1.',
    1,
    number(0, 1),
  ),
  uploadBytesMax: setting(
    'UPLOAD_MAX_BYTES',
    'Maximum bytes of an upload, and of a source that is fetched by URL.',
    limits.uploadBytesMax,
    integer(1, 1_073_741_824),
  ),
  imagePixelsMax: setting(
    'IMAGE_MAX_PIXELS',
    'Maximum pixels of an image, or of each frame of an animation.',
    limits.imagePixelsMax,
    integer(1, 1_000_000_000),
  ),
  pixelsInFlightMax: setting(
    'PIXELS_IN_FLIGHT_MAX',
    'Maximum pixels (4 bytes each) of all running executions and uploads in memory, including the memory of decoders and encoders. A step or an upload that needs more waits. One at a time can exceed the limit, up to `EXECUTION_MEMORY_MAX_BYTES`.',
    Math.min(limits.pixelsInFlightMax, Math.floor((memoryBytes * limits.pixelsInFlightMemoryPart) / 4)),
    integer(1, 1_000_000_000_000),
    `${limits.pixelsInFlightMax}, or a sixth of the memory`,
  ),
  executionMemoryBytesMax: setting(
    'EXECUTION_MEMORY_MAX_BYTES',
    'Maximum bytes of memory for the images of one execution or upload, including decoders and encoders. An execution that needs more fails with `limit_exceeded`. An upload that needs more is rejected.',
    Math.floor(memoryBytes * limits.executionMemoryPart),
    integer(1_000_000, 1_000_000_000_000_000),
    'three fifths of the memory of the container or machine',
  ),
  localModelsMemoryBytesMax: setting(
    'LOCAL_MODELS_MEMORY_MAX_BYTES',
    'Maximum bytes of memory for the process of a local model. A model that needs more is stopped, and its step fails with `limit_exceeded`.',
    Math.floor(memoryBytes * limits.localModelsMemoryPart),
    integer(100_000_000, 1_000_000_000_000_000),
    'three quarters of the memory of the container or machine',
  ),
  syncWaitSeconds: setting(
    'SYNC_WAIT_SECONDS',
    'Seconds after which a synchronous execute request returns 202 and the execution continues. Set it below the timeout of your proxy.',
    limits.syncWaitSeconds,
    number(0, 3_600),
  ),
  executionTimeoutSeconds: setting(
    'EXECUTION_TIMEOUT_SECONDS',
    'Seconds that an execution can run before it times out.',
    limits.executionSeconds,
    number(0.001, limits.executionSecondsMax),
  ),
  executionsRunningMax: setting(
    'EXECUTIONS_RUNNING_MAX',
    'Executions that each process runs at the same time. If it is more than 1, the process runs one more for an account that has none running there.',
    availableParallelism(),
    integer(1, 1_000),
    'the number of cores',
  ),
  markAiImages: setting(
    'MARK_AI_IMAGES',
    'Writes the mark of AI-generated images (XMP `DigitalSourceType`) into outputs that a generative model made or edited: true or false. Laws may require the mark. The field `origin` of images is not affected.',
    true,
    trueOrFalse,
  ),
  previewHours: setting(
    'PREVIEWS_KEEP_HOURS',
    'Hours that step previews and thumbnails of images are stored after they were last used.',
    limits.previewHours,
    number(0.001, 87_600),
  ),
  previewBytesMax: setting(
    'PREVIEWS_MAX_BYTES',
    'Maximum bytes of the step previews and thumbnails of each account. The least recently used are removed first.',
    limits.previewBytesMax,
    integer(1_000_000, 1_000_000_000_000_000),
  ),
  executionsKeptDays: setting(
    'EXECUTIONS_KEEP_DAYS',
    'Days that executions are stored after they have ended, at least 7. Executions of a batch are stored for as long as the batch. Output images are not removed: see `OUTPUTS_KEEP_DAYS`. `GET /usage` still counts the executions.',
    limits.executionsKeptDays,
    integer(executionsKeptDaysMin, 36_500),
  ),
  uploadsKeptDays: setting(
    'UPLOADS_KEEP_DAYS',
    'Days that new uploads are stored, for all plans as in `30`, or by plan as in `starter=7,pro=90`. A request and a project can set another time. Uploads stay if it is not set, or for a plan that it does not name.',
    undefined as DaysByPlan | undefined,
    daysByPlan,
    'none',
  ),
  outputsKeptDays: setting(
    'OUTPUTS_KEEP_DAYS',
    'Days that new outputs of executions are stored, like `UPLOADS_KEEP_DAYS`.',
    undefined as DaysByPlan | undefined,
    daysByPlan,
    'none',
  ),
  auditKeptDays: setting(
    'AUDIT_KEEP_DAYS',
    'Days that entries of the audit log are stored.',
    limits.auditKeptDays,
    integer(1, 36_500),
  ),
  executionsWaitingMax: setting(
    'EXECUTIONS_WAITING_MAX',
    'Maximum number of waiting executions of all accounts. Beyond it, new executions get 503 `unavailable`, unless their account has less than its fair share: this number, divided by the number of accounts with waiting executions. One account can have at most half of this number waiting, and at most the number in its plan. Beyond that, it gets 429 `rate_limited`.',
    limits.executionsWaitingMax,
    integer(0, 1_000_000),
  ),
  eventStreamsMax: setting(
    'EVENT_STREAMS_MAX',
    'Maximum number of open event streams and requests with `wait` of an account, or of a run link, at each process. Beyond it, the response is 429.',
    limits.eventStreamsMax,
    integer(0, 1_000_000),
  ),
  deliveryWaitSeconds: setting(
    'DELIVERY_WAIT_SECONDS',
    `Seconds that a request for a delivery URL waits for an execution. Beyond it, the response is 503. If the workflow has a fallback image, the response is that image after ${limits.deliveryFallbackSeconds} seconds at the latest.`,
    limits.deliveryWaitSeconds,
    number(0, 3_600),
  ),
  deliveryBytesMax: setting(
    'DELIVERY_MAX_BYTES',
    'Maximum bytes of the files of delivery URLs of each account. A background job removes the least recently used files first; they are made again when they are requested.',
    limits.derivedFilesBytesMax,
    integer(0, 1_000_000_000_000_000),
  ),
  shutdownGraceSeconds: setting(
    'SHUTDOWN_GRACE_SECONDS',
    'Seconds that running executions have to finish after SIGTERM. The others run again after the next start.',
    limits.shutdownGraceSeconds,
    number(0, 3_600),
  ),
  fetchAllow: setting(
    'FETCH_ALLOW',
    'Hosts with a private address from which sources can be fetched, and to which webhooks can be sent: `host` or `host:port`, comma-separated.',
    [] as string[],
    hosts,
    'none',
  ),
  webhookHttp: setting(
    'WEBHOOK_HTTP',
    'Accepts webhook URLs that start with `http://`: true or false. Hosts in `FETCH_ALLOW` are always accepted.',
    false,
    trueOrFalse,
  ),
  fetchesPerAccountMax: setting(
    'FETCHES_PER_ACCOUNT_MAX',
    'Sources that each process fetches for one account at the same time. Others of the account wait.',
    limits.fetchesPerAccountMax,
    integer(1, 10_000),
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    'Name servers for the hosts of sources and AI providers: `address` or `address:port`, comma-separated. `/etc/hosts` comes first.',
    [] as string[],
    nameServers,
    'those of `/etc/resolv.conf`',
  ),
  fetchTimeoutSeconds: setting(
    'FETCH_TIMEOUT_SECONDS',
    'Seconds to fetch a source, including redirects.',
    limits.fetchSeconds,
    number(0.1, 600),
  ),
  generateModel: modelsSetting('GENERATE_MODEL', 'generate'),
  editModel: modelsSetting('EDIT_MODEL', 'edit'),
  inpaintModel: modelsSetting('INPAINT_MODEL', 'inpaint'),
  removeBackgroundModel: modelsSetting('REMOVE_BACKGROUND_MODEL', 'remove-background'),
  upscaleModel: modelsSetting('UPSCALE_MODEL', 'upscale'),
  describeModel: modelsSetting('DESCRIBE_MODEL', 'describe'),
  writeModel: modelsSetting('WRITE_MODEL', 'write'),
  judgeModel: modelsSetting('JUDGE_MODEL', 'judge'),
  modelsFile: setting(
    'MODELS_FILE',
    'YAML or JSON file that adds models of AI providers, or replaces the capabilities and prices of known models.',
    undefined as string | undefined,
    (text) => resolve(nonEmpty(text)),
    'none',
  ),
  executionBudgetUsd: setting(
    'EXECUTION_BUDGET_USD',
    'Maximum cost of the model calls of one execution, in US dollars.',
    undefined as number | undefined,
    dollars,
    'none',
  ),
  accountBudgetUsdPerMonth: setting(
    'ACCOUNT_BUDGET_USD_PER_MONTH',
    'Maximum cost of the model calls of an account in a calendar month (UTC), in US dollars. `tintype accounts budget` sets it for one account.',
    undefined as number | undefined,
    dollars,
    'none',
  ),
  ...quotaSettings,
  diskReserveBytes: setting(
    'DISK_RESERVE_BYTES',
    'Free bytes of the disks of `DATA_DIR` and of the image files below which uploads and new executions get 503 `unavailable`, so that the database can still write. 0 disables the check.',
    undefined as number | undefined,
    integer(0, 1_000_000_000_000_000),
    '512 MiB, or 5 % of a smaller disk',
  ),
  ...credentialSettings,
}

export type Config = { [Key in keyof typeof settings]: (typeof settings)[Key]['default'] } & {
  /** Settings that the files of the providers declare. */
  providers: ProviderConfigs
  /** The maxima that settings replace. */
  quotas: QuotaSettings
}

/** Secret values, such as provider keys: the log redacts them. */
export function secretValues({ providers, credentialsSignerAuthorization: authorization }: Config): string[] {
  return [...secretsOf(providersById.values(), providers), ...(authorization === undefined ? [] : [authorization])]
}

/** Default models for nodes without `model`. */
export function modelsByCapability(config: Config) {
  return {
    generate: config.generateModel,
    edit: config.editModel,
    inpaint: config.inpaintModel,
    'remove-background': config.removeBackgroundModel,
    upscale: config.upscaleModel,
    describe: config.describeModel,
    write: config.writeModel,
    judge: config.judgeModel,
  }
}

/** Folder of installed local models. */
export function modelsDir({ dataDir }: Config): string {
  return join(dataDir, 'models')
}

/**
 * Throws a `ConfigError` with a sentence for each invalid setting. An empty variable counts as not set.
 * `readFile` reads secrets from files (`..._FILE`).
 */
export function readConfig(
  env: Record<string, string | undefined>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = []
  const entries = Object.entries(settings).map(([key, row]) => {
    const text = env[row.name]?.trim()
    if (text === undefined || text === '') return [key, row.default]
    try {
      return [key, (row as Setting<unknown>).parse(text)]
    } catch (error) {
      const valueText = (row as Setting<unknown>).isSecret
        ? '. The value is not shown, because it can contain a password.'
        : `, but it is ${JSON.stringify(text)}.`
      problems.push(`${row.name} ${error instanceof Error ? error.message : error}${valueText}`)
      return [key, row.default]
    }
  })
  const read = readProviders(env, providersById.values(), readFile)
  const values = Object.fromEntries(entries) as Omit<Config, 'providers' | 'quotas'>
  problems.push(...read.problems, ...credentialProblems(values, readFile))
  if (problems.length > 0) throw new ConfigError(problems)
  return { ...values, providers: read.providers, quotas: quotasOf(values) }
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** The setting of the default models of an operation. */
function modelsSetting(name: string, operation: string): Setting<string[]> {
  return setting(
    name,
    `Models of \`${operation}\` for nodes without \`model\`: \`provider/model\`, several with commas. The first one that can do the task is used, and the others if it fails.`,
    [],
    modelList,
    'depends on the provider keys that are set',
  )
}
