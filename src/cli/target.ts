/** Where a command works: on a service over HTTP, or on the database. Both have the interface of the API, so a command is defined once. */
import { type Command, Option } from 'commander'
import type { RequestOptions, Tintype } from '../../client/src/index.ts'
import { Fault, invalidRequest } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import type { CliServices } from './cli-services.ts'
import { workflowOf } from './workflow-of.ts'

export interface TargetOptions {
  url?: string
  key?: string
  local?: boolean
  account?: string
  json?: boolean
}

/** A service and the key for it. */
export interface Login {
  url: string
  key: string
}

/** The API, of a service or of the database. */
export interface CliApi {
  client: Tintype
  /** The address of the service. Undefined for the database. */
  url: string | undefined
  /** For each request, so that Ctrl+C ends it. */
  request: RequestOptions
  /** Runs work that waits for executions. On the database, this process executes them if no service runs. */
  executing<Result>(work: () => Promise<Result>): Promise<Result>
  /** A sentence for a user who presses Ctrl+C. */
  onInterrupt(sentence: string): void
  close(): Promise<void>
}

/** The result of a command: `answer` is printed as JSON with `--json`, otherwise `view`, by default the same. */
export interface Output {
  answer: unknown
  view?: unknown
  /** Lines for standard error, without `--json`. */
  notes?: string[]
}

export interface ApiCommand {
  /** Whether it changes something: then it reports the service first. */
  changes?: boolean
  /** Id or slug of its workflow. On the database, it selects the account. */
  workflow?: string
}

/** Runs a command on its target, and prints its output, if any. */
export type ActOnApi = (
  options: TargetOptions,
  work: (api: CliApi) => Promise<Output | undefined>,
  command?: ApiCommand,
) => Promise<void>

/** Adds the options of a command that works on a service and on the database. */
export function onBoth(command: Command): Command {
  return onService(command)
    .option('--local', 'use the database, although TINTYPE_URL is set or you are logged in')
    .option('--account <id>', 'account of the database; required if there are several')
}

/** Adds the options of a command that works on a service only. */
export function onService(command: Command): Command {
  return command
    .option('--json', 'print one JSON value')
    .optionsGroup('Target:')
    .addOption(new Option('--url <url>', 'address of a service').env('TINTYPE_URL'))
    .addOption(
      new Option('--key <key>', 'API key for it; better in the environment than on the command line').env(
        'TINTYPE_KEY',
      ),
    )
}

/** Where a command works, in a sentence of its help. */
export function formOf({ options }: Command): string {
  const has = (name: string) => options.some(({ long }) => long === name)
  if (!has('--url')) return 'This command works on this machine only, not over HTTP.'
  if (!has('--local')) return 'This command works on a service: the one of --url, TINTYPE_URL or "tintype login".'
  return 'This command works on a service, the one of --url, TINTYPE_URL or "tintype login", and otherwise on the database.'
}

/**
 * The service of a command, or undefined for the database. A key is sent only to the address that it was stored or passed with. `stored`: of
 * `tintype login`.
 */
export function serviceOf({ url, key, local, account }: TargetOptions, stored: Login | undefined): Login | undefined {
  if (local) return undefined
  const address = url || stored?.url
  if (address === undefined) return undefined
  const login = { url: rootOf(address), key: key || (stored?.url === rootOf(address) ? stored.key : '') }
  if (account !== undefined) {
    const message = `selects an account of the database, but this command would work on ${login.url}. Pass --local for the database.`
    throw invalidRequest([{ path: '--account', message }])
  }
  if (login.key === '')
    throw new Fault('unauthorized', `No API key for ${login.url}. Set TINTYPE_KEY, or run "tintype login".`)
  return login
}

/** The address without a slash or `/v1` at its end. */
export function rootOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    const message = `must be the address of a service, such as https://images.example.com, not ${JSON.stringify(url)}`
    throw invalidRequest([{ path: '--url', message }])
  }
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** The reason why requests were aborted: Ctrl+C. */
export class Interrupted extends Error {}

export type OpenClient = (service: Login & { fetch: typeof fetch; maxRetries?: number }) => Promise<Tintype>

/** A service may be away for a restart: its requests are repeated for about a minute. */
const retriesMax = 10

/** Opens a service. An address that never responded is an error immediately. */
export async function openService(service: Login, openClient: OpenClient): Promise<CliApi> {
  const { url } = service
  const controller = new AbortController()
  let wasReached = false
  let sentence = ''
  const interrupt = () => controller.abort(new Interrupted(sentence))
  process.once('SIGINT', interrupt)
  const send: typeof fetch = async (input, init) => {
    let response: Response
    try {
      // The API doesn't redirect, and a redirected POST would become a GET.
      response = await fetch(input, { ...init, redirect: 'manual' })
    } catch (error) {
      // Only an address that has responded may be a service that restarts.
      if (!wasReached && !controller.signal.aborted) controller.abort(unreachable(url, error))
      throw error
    }
    const { status, headers } = response
    if (status >= 300 && status < 400 && status !== 304) {
      const to = headers.get('location') ?? 'another address'
      controller.abort(new Fault('unavailable', `${url} redirects to ${to}. Use the address of the service as --url.`))
      throw controller.signal.reason
    }
    wasReached = true
    return response
  }
  const client = await openClient({ ...service, fetch: send, maxRetries: retriesMax })
  return {
    client,
    url,
    request: { signal: controller.signal },
    executing: (work) => work(),
    onInterrupt(text) {
      sentence = text
    },
    async close() {
      process.off('SIGINT', interrupt)
    },
  }
}

/** Opens the API of an account of the database: the one of `--account`, of the workflow, or the only one. */
export async function openDatabase(
  { account }: TargetOptions,
  { workflow }: ApiCommand,
  { open, openClient }: { open(): Promise<CliServices>; openClient: OpenClient },
): Promise<CliApi> {
  const app = await open()
  try {
    const found = workflow === undefined ? undefined : await workflowOf(app, workflow, account)
    const accountId = found?.accountId ?? (await accountIdOf(app, account))
    const api = await app.openApi(await app.accounts.find(accountId))
    return {
      // The requests have no network: neither address nor key is used.
      ...openAccount(await openClient({ url: 'http://localhost', key: 'command', fetch: api.fetch })),
      async executing(work) {
        const worker = app.lock() ? await app.startWorker() : undefined
        return work().finally(() => worker?.stop(graceSeconds))
      },
      close: () => api.close().then(() => app.close()),
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** The API of an account of the database. */
export function openAccount(client: Tintype): CliApi {
  return { client, url: undefined, request: {}, executing: (work) => work(), onInterrupt() {}, async close() {} }
}

/** Time for other executions of this process to end: the longest possible timeout of an execution. */
const graceSeconds = 86_400

function unreachable(url: string, error: unknown): Fault {
  const { message, cause } = error as Error & { cause?: unknown }
  const { code = '', message: inner = '' } = (cause ?? {}) as NodeJS.ErrnoException
  const reason = reasons[code] ?? (inner || code || message)
  const sentence = `${url} can't be reached: ${reason}. Check the address, and that the service runs.`
  return new Fault('unavailable', sentence, {}, { cause: error })
}

/** Sentences for codes of Node and OpenSSL whose messages are internal. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'the host name is unknown (ENOTFOUND)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS, so use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; set NODE_EXTRA_CA_CERTS to a file with it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate authority is unknown; set NODE_EXTRA_CA_CERTS to a file with it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}
