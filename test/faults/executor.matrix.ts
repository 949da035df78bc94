/** Crashes of the executor, on PostgreSQL. See also executor.test.ts. */
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { testCrashes, testRepeatedCrashes } from './executor-tests.ts'

let postgres: PostgresServer

before(async () => {
  postgres = await startPostgres()
})

after(() => postgres.remove())

test('crashes of the executor lose no execution, and no request fails', async (t) =>
  testCrashes(t, { DATABASE_URL: await postgres.newDatabase() }))

test('an execution that crashes its process each time fails, and concurrent ones complete', async (t) =>
  testRepeatedCrashes(t, { DATABASE_URL: await postgres.newDatabase() }))
