/** The services that most areas share, and separate accounts on them. */
import { after } from 'node:test'
import { isMany } from './backing.ts'
import { type Client, createClient } from './client.ts'
import { runCommand } from './commands.ts'
import { createdKeys } from './created-keys.ts'
import { type Service, startService, startWithoutExamples } from './service.ts'

/** Requests per minute. */
const unlimited = 1_000_000

interface Account {
  id: string
  name: string
  plan: string
}

export interface Tenant {
  accountId: string
  api: Client
  /** Creates another key of the account. */
  key(...options: string[]): Promise<CreatedKey>
}

export interface CreatedKey {
  id: string
  key: string
}

/** Source images may come from `localhost`, and from no other address of this machine. */
export const sharedService = once(startService, {
  FETCH_ALLOW: 'localhost',
  SECURITY_CONTACT: 'security@tintype.example',
})

/** A service with limits so low that a test can reach them, and one execution at a time. It has no documentation. */
export const smallService = once(startWithoutExamples, {
  DOCS: 'false',
  FETCH_ALLOW: 'localhost',
  UPLOAD_MAX_BYTES: '200000',
  IMAGE_MAX_PIXELS: '1000000',
  // Longer with several processes, on a machine that runs several services.
  SYNC_WAIT_SECONDS: isMany ? '2.5' : '1',
  // Executions that outlast the wait have the rest of this time to complete.
  EXECUTION_TIMEOUT_SECONDS: isMany ? '12' : '8',
  EXECUTIONS_RUNNING_MAX: '1',
  // The limit per account is 2.
  EXECUTIONS_WAITING_MAX: '4',
})

/** A service with default settings: it can't fetch sources from this machine. */
export const closedService = once(startWithoutExamples, {})

/** The first test that needs it starts it. It ends after the last test. */
function once(start: typeof startService, environment: Record<string, string>): () => Promise<Service> {
  let starting: Promise<Service> | undefined
  after(async () => (await starting)?.remove())
  return () => {
    starting ??= unlimitedOf(start(environment))
    return starting
  }
}

/** Its first account can send requests as fast as any machine does. */
async function unlimitedOf(starting: Promise<Service>): Promise<Service> {
  const service = await starting
  const [first] = await runCommand<Account[]>(service, 'accounts', 'list')
  await runCommand(service, 'accounts', 'set-plan', first?.id ?? '', 'enterprise', '--rate-limit', String(unlimited))
  return service
}

/** The account of the first start. Most areas share it, and identify their records by id, project or workflow. */
export async function firstAccount(service?: Service): Promise<Client> {
  const started = await (service ?? sharedService())
  return createClient(started, started.key)
}

/** A second account without access to records of the first. */
export const secondAccount = lazily(() => newAccount())

/** An account that no other test uses. */
export async function newAccount(
  options: { plan?: string; rateLimit?: number; service?: Service } = {},
): Promise<Tenant> {
  const service = options.service ?? (await sharedService())
  const plan = options.plan ?? 'enterprise'
  const rate = plan === 'enterprise' ? ['--rate-limit', String(options.rateLimit ?? unlimited)] : []
  const account = await runCommand<Account>(service, 'accounts', 'create', '--name', 'A test', '--plan', plan, ...rate)
  const key: Tenant['key'] = async (...more) => {
    const created = await runCommand<CreatedKey>(service, 'keys', 'create', '--account', account.id, ...more)
    createdKeys.push(created.key)
    return created
  }
  return { accountId: account.id, api: await createClient(service, (await key()).key), key }
}

/** Created by the first caller and shared by all. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= make()
    return created
  }
}
