/** A process that runs all jobs of the retention of a database, and kills itself before or after one of its writes. Sends the number of writes. */
import { openDatabase } from '../../../src/storage/database/open.ts'
import { retentionOf } from '../../harness/retention.ts'
import { dyingAt } from './dying-writes.ts'

const [file = '', nth = '', when = '', now = '', settings = '{}'] = process.argv.slice(2)
const { kysely, dialect, close } = await openDatabase({ file })
const { plugin, count } = dyingAt(kysely, Number(nth), when)
const clock = { now: () => Number(now) }
const retention = retentionOf({ kysely: kysely.withPlugin(plugin), dialect, clock }, JSON.parse(settings))
for (const { name } of retention.jobs) await retention.sweep(name, { rowsMax: 1_000 })
await close()
process.send?.({ writes: count() })
process.disconnect?.()
