/**
 * The account that the first start of a service would create, without the example workflows, which take most of the CPU of that start.
 * A service that finds an account has no first start.
 */
import { openRecordServices } from '../../src/app/records.ts'
import { readConfig } from '../../src/config/config.ts'

/** Returns its key. */
export async function createFirstAccount(environment: Record<string, string>): Promise<string> {
  const { accounts, keys, close } = await openRecordServices(readConfig(environment))
  try {
    const { id } = await accounts.create({ name: 'Created before the first start', plan: 'enterprise' })
    return (await keys.create(id, { name: 'First key' })).text
  } finally {
    await close()
  }
}
