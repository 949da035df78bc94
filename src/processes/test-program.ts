/** A program of a pool that does what its job says. For tests. */
import { serveJobs } from './pool-program.ts'

export type TestJob = { do: 'crash' | 'hang' | 'grow' | 'ask' | 'pid' } | { do: 'send'; bytes: number }
export type TestResult = { pid: number } | { answer: unknown } | { data: Buffer }

const grown: Buffer[] = []

serveJobs<TestJob, TestResult, string>(async (job, ask) => {
  switch (job.do) {
    case 'crash':
      process.kill(process.pid, 'SIGSEGV')
      return new Promise(() => {})
    case 'hang':
      for (;;);
    case 'grow':
      for (;;) grown.push(Buffer.alloc(10_000_000, 1))
    case 'ask':
      return { answer: await ask('what?') }
    case 'send':
      return { data: Buffer.alloc(job.bytes, 7) }
    case 'pid':
      return { pid: process.pid }
  }
})
