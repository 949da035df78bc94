/** The rows of a batch: read, edited and retried. */
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItem, BatchItemPage, BatchItemStatus, BatchItemStore } from '../../domain/batches/batch-item.ts'
import type { Clock } from '../../domain/clock.ts'
import type { PageRequest } from '../../domain/page.ts'
import { invalidRequest, notFound } from '../../errors.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'
import type { Batches } from './batches.ts'
import { refused } from './refused.ts'

export interface BatchItems {
  list(accountId: string, batchId: string, page: PageRequest, status?: BatchItemStatus): Promise<BatchItemPage>
  find(accountId: string, batchId: string, key: string): Promise<BatchItem>
  /**
   * Changes parameters of a row that has failed or was cancelled, or whose batch was not started. Null removes a value, so that the default
   * applies. Throws `invalid_request` with the problems of the row.
   */
  update(accountId: string, batchId: string, key: string, parameters: Record<string, unknown>): Promise<BatchItem>
  /** Rows that failed or were cancelled get a new execution, which resumes the failed one. `keys`: only these rows. */
  retry(accountId: string, batchId: string, keys?: readonly string[]): Promise<{ batch: BatchState; retried: number }>
}

interface Dependencies {
  batches: Pick<Batches, 'find'>
  items: Pick<BatchItemStore, 'list' | 'find' | 'update' | 'retry'>
  versionCache: Pick<VersionCache, 'get'>
  requestParameters: Pick<RequestParameters, 'rowIssues'>
  clock: Clock
  onActive(): void
}

/** Rows of one statement: SQLite runs it without a turn for other requests. */
const rowsAtOnce = 1_000

export function createBatchItems(dependencies: Dependencies): BatchItems {
  const { batches, items, versionCache, requestParameters, clock, onActive } = dependencies

  async function found(batch: BatchState, key: string): Promise<BatchItem> {
    const item = await items.find(batch, key)
    if (item === undefined) throw notFound('row', key)
    return item
  }

  return {
    async list(accountId, batchId, page, status) {
      return items.list(await batches.find(accountId, batchId), page, status)
    },

    async find(accountId, batchId, key) {
      return found(await batches.find(accountId, batchId), key)
    },

    async update(accountId, batchId, key, changes) {
      const batch = await batches.find(accountId, batchId)
      const item = await found(batch, key)
      const merged = { ...item.parameters, ...changes }
      const parameters = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
      const workflow = await forRequest(versionCache.get(batch))
      const row = { ...batch.defaults, ...parameters }
      const [issues = []] = await requestParameters.rowIssues(accountId, workflow, [row], {
        planning: { msLeft: 1 },
        brand: batch.brand,
      })
      if (issues.length > 0) throw invalidRequest(issues)
      if (!(await items.update(batch, key, parameters))) throw notEditable(await found(batch, key))
      return found(batch, key)
    },

    async retry(accountId, batchId, keys) {
      const batch = await batches.find(accountId, batchId)
      if (batch.status === 'created' || batch.status === 'cancelled')
        throw refused(`Batch "${batchId}" is ${batch.status}, so its rows can't be retried. Create another batch.`)
      let retried = 0
      for (;;) {
        const options = { keys, rowsMax: rowsAtOnce, now: clock.now() }
        const some = await items.retry(batch, options)
        retried += some
        if (some < rowsAtOnce) break
      }
      if (retried > 0) onActive()
      return { batch: await batches.find(accountId, batchId), retried }
    },
  }
}

function notEditable({ key, status }: BatchItem) {
  const message = `Row "${key}" is ${status}. Only rows that failed or were cancelled can be changed, or all rows before the batch is started.`
  return invalidRequest([{ path: 'key', message }])
}
