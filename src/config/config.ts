/** Every setting, once: name, summary, default, parser. The docs page, `.env.example` and `--help` are derived. */
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { limits } from '../limits.ts'
import { providersById } from '../providers/index.ts'
import { type ProviderConfigs, readProviders, secretsOf } from '../providers/settings.ts'
import {
  contact,
  databaseUrl,
  dollars,
  hosts,
  httpUrl,
  modelList,
  nameServers,
  networks,
  nonEmpty,
  number,
  oneOf,
  originUrl,
  port,
  trueOrFalse,
  whole,
} from './setting-values.ts'
import { parseStorageUrl, type StorageLocation } from './storage-url.ts'

/** That of the container, if it has a limit, or of the machine. */
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export interface Setting<Value> {
  /** Name of the environment variable. */
  name: string
  summary: string
  /** As it is told in the docs; `undefined` where there is none. */
  defaultText?: string
  default: Value
  /** Throws an `Error` whose message says what would be right. */
  parse(text: string): Value
  /** May hold a password: what was given is not told. */
  isSecret?: true
}

export const settings = {
  port: setting('PORT', 'Port to listen on; 0 takes any free one.', 8080, port),
  host: setting('HOST', 'Address to listen on. `0.0.0.0` or `::` for all.', '127.0.0.1', nonEmpty),
  publicUrl: setting(
    'PUBLIC_URL',
    'Where clients reach the service: `https://images.example.com`, without a path. URLs in responses begin with it.',
    undefined as string | undefined,
    originUrl,
    'http://HOST:PORT',
  ),
  hstsSeconds: setting(
    'HSTS_MAX_AGE_SECONDS',
    'Sends `Strict-Transport-Security` with this `max-age`, if `PUBLIC_URL` begins with `https://`. Browsers then use only HTTPS for this host name, for so long.',
    undefined as number | undefined,
    whole(0, 315_360_000),
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
    whole(1, 1_000_000),
  ),
  connectionsPerAddressMax: setting(
    'CONNECTIONS_PER_ADDRESS_MAX',
    'Open connections of one client address (IPv6: one /64 network). More are closed immediately. `TRUSTED_PROXIES` are exempt.',
    limits.connectionsPerAddressMax,
    whole(1, 1_000_000),
  ),
  wrongKeysPerMinuteMax: setting(
    'WRONG_KEYS_PER_MINUTE_MAX',
    'Requests with a wrong key from one client address in a minute, in each process. More get 429 instead of 401, and are not logged one by one. Valid keys always pass.',
    limits.wrongKeysPerMinuteMax,
    whole(1, 1_000_000),
  ),
  signInsPerMinuteMax: setting(
    'SIGN_INS_PER_MINUTE_MAX',
    'Sign-ins to the console from one client address in a minute, in each process. More get 429.',
    limits.signInsPerMinuteMax,
    whole(1, 1_000_000),
  ),
  imagesUrl: setting(
    'IMAGES_URL',
    'Where image URLs begin when a CDN or bucket serves them.',
    undefined as string | undefined,
    httpUrl,
    'PUBLIC_URL/images',
  ),
  console: setting(
    'CONSOLE',
    'Whether the console is served at `/`: true or false. Without it, `/` leads to the reference of the API.',
    true,
    trueOrFalse,
  ),
  dataDir: setting(
    'DATA_DIR',
    'Folder that holds everything: records and images.',
    resolve('data'),
    (text) => resolve(nonEmpty(text)),
    '../data',
  ),
  firstKeyFile: setting(
    'FIRST_KEY_FILE',
    'File for the API key of the first start, which only its owner can read. Without it the key is printed, once: set it where the output is kept as a log.',
    undefined as string | undefined,
    (text) => resolve(nonEmpty(text)),
  ),
  databaseUrl: secret(
    setting(
      'DATABASE_URL',
      'PostgreSQL 15 or newer that holds the records, shared by all processes: `postgres://user:password@host:5432/database`. It must be the server itself or a pooler in session mode.',
      undefined as string | undefined,
      databaseUrl,
      'SQLite in DATA_DIR',
    ),
  ),
  databaseConnectionsMax: setting(
    'DATABASE_CONNECTIONS_MAX',
    'Most connections that each process keeps to PostgreSQL for its records; two or three more serve the queue and notices.',
    10,
    whole(2, 1_000),
  ),
  storageUrl: secret(
    setting(
      'STORAGE_URL',
      'Where the bytes of images are kept: `s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1` (without `endpoint`, AWS; credentials come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`), or a folder that all machines share, `file:///var/lib/tintype/blobs`.',
      undefined as StorageLocation | undefined,
      parseStorageUrl,
      'DATA_DIR/blobs',
    ),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'What is logged: trace, debug, info, warn, error or silent.',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  uploadBytesMax: setting(
    'UPLOAD_MAX_BYTES',
    'Most bytes of an upload, and of a source fetched by URL.',
    limits.uploadBytesMax,
    whole(1, 1_073_741_824),
  ),
  imagePixelsMax: setting(
    'IMAGE_MAX_PIXELS',
    'Most pixels of a picture; of each frame of an animation.',
    limits.imagePixelsMax,
    whole(1, 1_000_000_000),
  ),
  pixelsInFlightMax: setting(
    'PIXELS_IN_FLIGHT_MAX',
    'Most pixels that all running executions and uploads hold at the same time, at 4 bytes each, with the memory that decoders and encoders take. A step or an upload that needs more waits. One at a time may exceed it, up to `EXECUTION_MEMORY_MAX_BYTES`.',
    Math.min(limits.pixelsInFlightMax, Math.floor((memoryBytes * limits.pixelsInFlightMemoryPart) / 4)),
    whole(1, 1_000_000_000_000),
    `${limits.pixelsInFlightMax}, or a sixth of the memory`,
  ),
  executionMemoryBytesMax: setting(
    'EXECUTION_MEMORY_MAX_BYTES',
    'Most bytes of memory that the images of one execution or upload take, with what decoders and encoders take. An execution that needs more fails with `limit_exceeded`, an upload is refused.',
    Math.floor(memoryBytes * limits.executionMemoryPart),
    whole(1_000_000, 1_000_000_000_000_000),
    'three fifths of the memory of the container or machine',
  ),
  syncWaitSeconds: setting(
    'SYNC_WAIT_SECONDS',
    'How long a synchronous execution is waited for before 202 is answered. Keep it below the proxy in front.',
    limits.syncWaitSeconds,
    number(0, 3_600),
  ),
  executionTimeoutSeconds: setting(
    'EXECUTION_TIMEOUT_SECONDS',
    'How long an execution may run.',
    limits.executionSeconds,
    number(0.001, 86_400),
  ),
  executionsRunningMax: setting(
    'EXECUTIONS_RUNNING_MAX',
    'Executions that run at the same time. If it is more than 1, a process runs one more when another account has none running there.',
    availableParallelism(),
    whole(1, 1_000),
    'the number of cores',
  ),
  cacheBytesMax: setting(
    'CACHE_MAX_BYTES',
    'Most bytes of the step cache, for each account; what was not used the longest goes first. 0 switches it off.',
    limits.cacheBytesMax,
    whole(0, 1_000_000_000_000_000),
  ),
  previewsKeptHours: setting(
    'PREVIEWS_KEEP_HOURS',
    'How long previews of steps are kept after an execution has shown them last.',
    limits.previewsKeptHours,
    number(0.001, 87_600),
  ),
  executionsWaitingMax: setting(
    'EXECUTIONS_WAITING_MAX',
    'Executions that may wait, of all accounts together; beyond it, new ones get 503 `unavailable`, unless their account has less than its fair share: this number, divided by the number of accounts with waiting executions. One account may have at most half of them waiting, and at most as many as its plan allows; beyond that it gets 429 `rate_limited`.',
    limits.executionsWaitingMax,
    whole(0, 1_000_000),
  ),
  imageProcess: setting(
    'IMAGE_PROCESS',
    'Where `tintype serve` decodes uploads, compares versions and runs executions. `separate`: in a child process. If an image library crashes there, the service continues, and executions run again. `same`: in the process of the service, which needs less memory. `tintype worker` is such a process already.',
    'same',
    oneOf('separate', 'same'),
  ),
  eventStreamsMax: setting(
    'EVENT_STREAMS_MAX',
    'Executions that an account may follow at once, by streams of events, at each process; past it 429 is answered.',
    limits.eventStreamsMax,
    whole(0, 1_000_000),
  ),
  shutdownGraceSeconds: setting(
    'SHUTDOWN_GRACE_SECONDS',
    'How long running executions may go on after SIGTERM; what has not ended runs again after the next start.',
    limits.shutdownGraceSeconds,
    number(0, 3_600),
  ),
  fetchAllow: setting(
    'FETCH_ALLOW',
    'Hosts that sources may be fetched from although their address is private: `host` or `host:port`, comma-separated.',
    [] as string[],
    hosts,
    'none',
  ),
  fetchesPerAccountMax: setting(
    'FETCHES_PER_ACCOUNT_MAX',
    'Sources that are fetched at the same time for one account, in each process. Others of the account wait.',
    limits.fetchesOfAccountMax,
    whole(1, 10_000),
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
    'How long a source may take to be fetched, redirects included.',
    limits.fetchSeconds,
    number(0.1, 600),
  ),
  generateModel: models('GENERATE_MODEL', 'generate'),
  editModel: models('EDIT_MODEL', 'edit'),
  inpaintModel: models('INPAINT_MODEL', 'inpaint'),
  removeBackgroundModel: models('REMOVE_BACKGROUND_MODEL', 'remove-background'),
  upscaleModel: models('UPSCALE_MODEL', 'upscale'),
  describeModel: models('DESCRIBE_MODEL', 'describe'),
  writeModel: models('WRITE_MODEL', 'write'),
  judgeModel: models('JUDGE_MODEL', 'judge'),
  modelsFile: setting(
    'MODELS_FILE',
    'YAML or JSON that adds models to those known of AI providers, or replaces what is known of one: what it can do, its price.',
    undefined as string | undefined,
    (text) => resolve(nonEmpty(text)),
    'none',
  ),
  executionBudgetUsd: setting(
    'EXECUTION_BUDGET_USD',
    'Most US dollars that AI providers may be paid for one execution.',
    undefined as number | undefined,
    dollars,
    'none',
  ),
  accountBudgetUsdPerMonth: setting(
    'ACCOUNT_BUDGET_USD_PER_MONTH',
    'Most US dollars that AI providers may be paid for an account in a calendar month (UTC); `tintype accounts budget` gives an account its own.',
    undefined as number | undefined,
    dollars,
    'none',
  ),
}

export type Config = { [Key in keyof typeof settings]: (typeof settings)[Key]['default'] } & {
  /** What their own files declare. */
  providers: ProviderConfigs
}

/** Values that may be told to nobody: keys of providers. */
export function secretValues({ providers }: Config): string[] {
  return secretsOf(providersById.values(), providers)
}

/** Models that a capability is asked of where a node names none. */
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

/** Where local models are added. */
export function modelsDir({ dataDir }: Config): string {
  return join(dataDir, 'models')
}

/**
 * Gathers every problem, then throws one message with a sentence for each. An empty variable counts as not set.
 * `readFile` is for secrets that are kept in files.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = []
  const entries = Object.entries(settings).map(([key, each]) => {
    const text = env[each.name]?.trim()
    if (text === undefined || text === '') return [key, each.default]
    try {
      return [key, (each as Setting<unknown>).parse(text)]
    } catch (error) {
      const given = (each as Setting<unknown>).isSecret
        ? 'what it is, is not shown: it may hold a password'
        : `it is ${JSON.stringify(text)}`
      problems.push(`${each.name} ${error instanceof Error ? error.message : error}; ${given}.`)
      return [key, each.default]
    }
  })
  const read = readProviders(env, providersById.values(), readFile)
  problems.push(...read.problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return { ...Object.fromEntries(entries), providers: read.providers }
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

function setting<Value>(
  name: string,
  summary: string,
  value: Value,
  parse: (text: string) => Value,
  defaultText?: string,
): Setting<Value> {
  return { name, summary, default: value, parse, ...(defaultText === undefined ? {} : { defaultText }) }
}

function secret<Value>(each: Setting<Value>): Setting<Value> {
  return { ...each, isSecret: true }
}

function models(name: string, operation: string): Setting<string[]> {
  return setting(
    name,
    `Models of \`${operation}\` for nodes without \`model\`: \`provider/model\`, several with commas. The first one that can do the task is used, and the others if it fails.`,
    [],
    modelList,
    'by the keys that are set',
  )
}
