/** A process that ends an account or a project, or removes images, and kills itself before or after one of its writes. Sends the number of writes. */
import { stopExecutions } from '../../../src/services/executions/stop-executions.ts'
import { openDatabase } from '../../../src/storage/database/open.ts'
import { createRemoval } from '../../../src/storage/database/retention/removal.ts'
import { createQuotas } from '../../../src/storage/database/sql/quotas.ts'
import { createExecutionStore } from '../../../src/storage/database/stores/executions.ts'
import { createImageStore } from '../../../src/storage/database/stores/images.ts'
import { dyingAt } from './dying-writes.ts'

const [file = '', nth = '', when = '', now = '', what = '', id = '', more = ''] = process.argv.slice(2)
const { kysely, dialect, close } = await openDatabase({ file })
const { plugin, count } = dyingAt(kysely, Number(nth), when)
const clock = { now: () => Number(now) }
const db = kysely.withPlugin(plugin)
const removal = createRemoval({ db, dialect, clock })
const quotas = createQuotas(dialect, {})
const images = createImageStore(db, dialect, quotas)
const work: Record<string, () => Promise<unknown>> = {
  account: () => removal.removeAccount(id),
  project: () => removal.removeProject(id),
  image: () => images.remove(id, more, clock.now()),
  images: () => images.removeSome(id, { search: more }, 1_000, clock.now()),
  suspension: () => stopExecutions({ executions: createExecutionStore(db, dialect, quotas), clock }, id),
}
await work[what]?.()
await close()
process.send?.({ writes: count() })
process.disconnect?.()
