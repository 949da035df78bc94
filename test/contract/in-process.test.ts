import { createInProcessNotices } from '../../src/storage/queue/in-process-notices.ts'
import { noticesContract } from './notices.ts'

noticesContract('in one process', () => {
  const errors: unknown[] = []
  const notices = createInProcessNotices({ onError: (error) => errors.push(error) })
  return { notices, errors, settle: async () => {} }
})
