import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { createExecutionQueue } from '../../src/storage/queue/claims.ts'
import { createInProcessNotices } from '../../src/storage/queue/in-process-notices.ts'
import { noticesContract } from './notices.ts'
import { attemptsMax, queueContract } from './queue.ts'
import { lost } from './records.ts'
import { scratchFolder } from './scratch.ts'

noticesContract('in one process', async () => {
  const errors: unknown[] = []
  const notices = createInProcessNotices({ onError: (error) => errors.push(error) })
  return { notices, errors, flush: async () => {} }
})

queueContract(
  'of one process',
  async () => {
    const { stores, close } = await openDatabase({ file: join(scratchFolder(), 'tintype.db') })
    const { executions } = stores
    const notices = createInProcessNotices({ onError: () => {} })
    const boundsOf = () => ({ attemptsMax, error: lost })
    return {
      stores,
      notices,
      newQueue: () => createExecutionQueue({ executions, notices, clock: systemClock, boundsOf, secondsMax: 600 }),
      close,
    }
  },
  { isOne: true },
)
