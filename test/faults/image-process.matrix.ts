/** Crashes of the image process (IMAGE_PROCESS=separate), on PostgreSQL. See also image-process.test.ts. */
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { testCrashes, testRepeatedCrashes } from './image-process-tests.ts'

let postgres: PostgresServer

before(async () => {
  postgres = await startPostgres()
})

after(() => postgres.remove())

test('crashes of the image process lose no execution, and interrupted requests can be repeated', async (t) =>
  testCrashes(t, { DATABASE_URL: await postgres.newDatabase() }))

test('an execution that crashes its process each time fails, and concurrent ones complete', async (t) =>
  testRepeatedCrashes(t, { DATABASE_URL: await postgres.newDatabase() }))
