/** A process that runs all jobs of the retention of a database, and kills itself before or after one of its writes. Sends the number of writes. */
import type { KyselyPlugin } from 'kysely'
import { openDatabase } from '../../../src/storage/database/open.ts'
import { retentionOf } from '../../harness/retention.ts'

const [file = '', nth = '', when = '', now = '', settings = '{}'] = process.argv.slice(2)
const { kysely, dialect, close } = await openDatabase({ file })
let writes = 0
const fatal = new WeakSet()

const plugin: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    if (!/^\s*(insert|update|delete)/.test(kysely.getExecutor().compileQuery(node, queryId).sql)) return node
    writes += 1
    if (writes === Number(nth)) {
      if (when === 'before') process.kill(process.pid, 'SIGKILL')
      fatal.add(queryId)
    }
    return node
  },
  async transformResult({ result, queryId }) {
    if (fatal.has(queryId)) process.kill(process.pid, 'SIGKILL')
    return result
  },
}
const clock = { now: () => Number(now) }
const retention = retentionOf({ kysely: kysely.withPlugin(plugin), dialect, clock }, JSON.parse(settings))
for (const { name } of retention.jobs) await retention.sweep(name, { rowsMax: 1_000 })
await close()
process.send?.({ writes })
process.disconnect?.()
