/** An account of its own on a running service, without a rate limit that would be felt. */
import { fileURLToPath } from 'node:url'
import { cli, type ServerProcess } from './processes.ts'

export interface Account {
  id: string
  key: string
  /** Where the API is, with `/v1`. */
  api: string
}

export async function createAccount(dataDir: string, service: ServerProcess): Promise<Account> {
  const limits = ['--plan', 'enterprise', '--rate-limit', '1000000']
  const { id } = await cli<{ id: string }>(dataDir, 'accounts', 'create', '--name', 'Benchmark', ...limits)
  const { key } = await cli<{ key: string }>(dataDir, 'keys', 'create', '--account', id)
  return { id, key, api: `${service.url}/v1` }
}

/** Saves example workflows for the account; their ids by the names of their files. */
export async function applyExamples(dataDir: string, account: Account, names: string[]): Promise<Map<string, string>> {
  const files = names.map((name) => fileURLToPath(new URL(`../examples/workflows/${name}.yaml`, import.meta.url)))
  const applied = await cli<{ id: string }[]>(dataDir, 'workflows', 'apply', ...files, '--account', account.id)
  return new Map(applied.map(({ id }, i) => [names[i] ?? '', id]))
}
