/** A process that removes an account, and kills itself before or after one of its writes. Sends the number of writes. */
import { openDatabase } from '../../../src/storage/database/open.ts'
import { createRemoval } from '../../../src/storage/database/retention/removal.ts'
import { dyingAt } from './dying-writes.ts'

const [file = '', nth = '', when = '', now = '', accountId = ''] = process.argv.slice(2)
const { kysely, dialect, close } = await openDatabase({ file })
const { plugin, count } = dyingAt(kysely, Number(nth), when)
const clock = { now: () => Number(now) }
await createRemoval({ db: kysely.withPlugin(plugin), dialect, clock }).removeAccount(accountId)
await close()
process.send?.({ writes: count() })
process.disconnect?.()
