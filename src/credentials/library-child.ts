/**
 * A program of a process pool: runs the C2PA library on bytes of unknown files. It has no keys, no environment and no way to the
 * network: the service signs.
 */
import { serveJobs } from '../processes/pool-program.ts'
import { type C2pa, isCrash, openC2pa } from './c2pa.ts'
import type { LibraryOptions, LibraryQuestion, LibraryResult, ReadJob, SignJob } from './messages.ts'

// The library would fetch with these. Its settings forbid that already.
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  Object.defineProperty(globalThis, name, {
    value: () => {
      throw new Error('the process for Content Credentials has no network')
    },
  })

let c2pa: Promise<C2pa> | undefined

serveJobs<SignJob | ReadJob, LibraryResult, LibraryQuestion>(async (job, ask) => {
  c2pa ??= ask('options').then((options) => openC2pa(options as LibraryOptions))
  const { sign, read } = await c2pa
  try {
    if (job.kind === 'read') return { report: await read(job.file) }
    return { signed: await sign(job, async (claim) => signature(await ask({ claim }))) }
  } catch (error) {
    // The library is not usable after a crash.
    if (isCrash(error)) process.kill(process.pid, 'SIGKILL')
    // The library throws texts.
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})

function signature(cose: unknown): Uint8Array {
  if (cose instanceof Uint8Array) return cose
  throw new Error('there is no signature')
}
