import { test } from 'node:test'
import { deleteAccountUnderLoad } from './account-load.ts'

test('an account with many records and running work is deleted under load on SQLite, and other accounts notice nothing', (t) =>
  deleteAccountUnderLoad(t))
