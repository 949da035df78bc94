import { test } from 'node:test'
import { startPostgres } from '../harness/postgres.ts'
import { deleteAccountUnderLoad } from './account-load.ts'

test('an account with many records and running work is deleted under load on PostgreSQL, and other accounts notice nothing', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.remove())
  await deleteAccountUnderLoad(t, await postgres.newDatabase())
})
