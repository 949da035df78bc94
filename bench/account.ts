/** A separate account on a running service, with a rate limit that the benchmark can't reach. */
import { fileURLToPath } from 'node:url'
import { cli, type ServerProcess, type Settings } from './processes.ts'

export interface Account {
  id: string
  key: string
  /** URL of the API, with `/v1`. */
  api: string
}

/** `settings` of the service, if its records aren't in `dataDir`. */
export async function createAccount(
  dataDir: string,
  service: Pick<ServerProcess, 'url'>,
  settings: Settings = {},
): Promise<Account> {
  const limits = ['--plan', 'enterprise', '--rate-limit', '1000000']
  const { id } = await cli<{ id: string }>(dataDir, settings, 'accounts', 'create', '--name', 'Benchmark', ...limits)
  const { key } = await cli<{ key: string }>(dataDir, settings, 'keys', 'create', '--account', id)
  return { id, key, api: `${service.url}/v1` }
}

/** Saves example workflows for the account and returns their ids by file name. */
export async function applyExamples(
  dataDir: string,
  account: Account,
  names: string[],
  settings: Settings = {},
): Promise<Map<string, string>> {
  const files = names.map((name) => fileURLToPath(new URL(`../examples/workflows/${name}.yaml`, import.meta.url)))
  const args = ['workflows', 'apply', ...files, '--account', account.id]
  const applied = await cli<{ id: string }[]>(dataDir, settings, ...args)
  return new Map(applied.map(({ id }, i) => [names[i] ?? '', id]))
}
