/** A replacement of the C2PA library: the bytes of a job say what it does. */
import { serveJobs } from '../processes/pool-program.ts'
import type { LibraryQuestion, LibraryResult, ReadJob, SignJob } from './messages.ts'

serveJobs<SignJob | ReadJob, LibraryResult, LibraryQuestion>(async (job, ask) => {
  const order = Buffer.from(job.file.bytes).toString()
  if (order.startsWith('crash')) process.kill(process.pid, 'SIGKILL')
  if (order.startsWith('hang')) for (;;);
  if (job.kind === 'read') return { problem: order }
  const cose = await ask({ claim: job.file.bytes })
  return { problem: cose instanceof Uint8Array ? `signed with ${Buffer.from(cose)}` : 'not signed' }
})
