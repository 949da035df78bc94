/**
 * The account that the first start of a service would create, without the example workflows, which take most of the CPU of that start.
 * A service that finds an account has no first start.
 */
/** Returns its key. The code of the service is loaded only here: tests that send much from their process need it for themselves. */
export async function createFirstAccount(environment: Record<string, string>): Promise<string> {
  const [{ openRecordServices }, { readConfig }] = await Promise.all([
    import('../../src/app/records.ts'),
    import('../../src/config/config.ts'),
  ])
  const { accounts, keys, close } = await openRecordServices(readConfig(environment))
  try {
    const { id } = await accounts.create({ name: 'Created before the first start', plan: 'enterprise' })
    return (await keys.create(id, { name: 'First key' })).text
  } finally {
    await close()
  }
}
