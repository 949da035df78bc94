/** Counts concurrent requests of an account on PostgreSQL, on a signal, and prints each count. */
import { once } from 'node:events'
import { openDatabase } from '../../../src/storage/database/open.ts'
import { rawQuery } from '../../../src/storage/database/sql/raw-query.ts'
import { createPostgresRates } from '../../../src/storage/rate-limits/postgres.ts'

const onError = (error: unknown) => {
  throw error
}
const [url = '', accountId = '', callers = '', limit = ''] = process.argv.slice(2)
const database = await openDatabase({ url })
const counter = createPostgresRates({ query: rawQuery(database.kysely), clock: database.clock, onError })
const started = once(process, 'SIGUSR2')
process.stdout.write('ready\n')
await started
const counts = await Promise.all(Array.from({ length: Number(callers) }, () => counter.count(accountId, Number(limit))))
process.stdout.write(`${JSON.stringify(counts.map(({ used }) => used))}\n`)
await database.close()
