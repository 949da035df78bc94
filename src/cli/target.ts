/** Target of a command: a service over HTTP, or the database. Both have the interface of the API, so a command is defined once. */
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
  /** Options of each request, so that Ctrl+C ends it. */
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

/** Sentence of the help of a command: its targets. */
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

/** The service of a command that can't use the database. */
export function requireService(options: TargetOptions, stored: Login | undefined): Login {
  const service = serviceOf(options, stored)
  if (service !== undefined) return service
  throw new Fault('invalid_request', 'Pass the address of a service with --url or TINTYPE_URL, or run "tintype login".')
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

/** Makes a client. `controller` aborts each request that has its signal. */
export type Connect = (service: Login) => Promise<{ client: Tintype; controller: AbortController }>

/** Opens a service. */
export async function openService(service: Login, connect: Connect): Promise<CliApi> {
  const { client, controller } = await connect(service)
  let sentence = ''
  const interrupt = () => controller.abort(new Interrupted(sentence))
  process.once('SIGINT', interrupt)
  return {
    ...openAccount(client),
    url: service.url,
    request: { signal: controller.signal },
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
  open: () => Promise<CliServices>,
): Promise<CliApi> {
  const app = await open()
  try {
    const found = workflow === undefined ? undefined : await workflowOf(app, workflow, account)
    const accountId = found?.accountId ?? (await accountIdOf(app, account))
    const api = await app.openApi(await app.accounts.find(accountId))
    return {
      ...openAccount(api.client),
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
