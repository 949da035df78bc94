/** Jobs of providers that queue: each waits, runs and ends by the clock, and is never done before it was polled. */

export type JobState = 'queued' | 'running' | 'done' | 'canceled'

export interface Job<Result = unknown> {
  id: string
  model: string
  createdAt: number
  /** Whether the job was running: before it, while it waits, it costs nothing to give it up. */
  wasRunning: boolean
  /** Looks, which counts. */
  look(): JobState
  /** Does not count. */
  state(): JobState
  /** False when it has ended already. */
  cancel(): boolean
  /** Result of the job, made once. */
  result: Promise<Result>
  /** Place in the queue, from 0. */
  position: number
}

export interface Jobs {
  add<Result>(job: { id: string; model: string; isStuck?: boolean; run(): Promise<Result> }): Job<Result>
  get(id: string): Job | undefined
  list(): Job[]
  remove(id: string): void
  clear(): void
}

export function createJobs({ latencyMs, pollsMin }: { latencyMs: number; pollsMin: number }): Jobs {
  const jobs = new Map<string, Job>()

  return {
    add({ id, model, isStuck = false, run }) {
      let looks = 0
      let canceled = false
      const createdAt = Date.now()
      const state = (): JobState => {
        if (canceled) return 'canceled'
        const passed = Date.now() - createdAt
        if (!isStuck && passed >= latencyMs && looks >= pollsMin) return 'done'
        // A third of the time it waits, and at least until it was looked at.
        return looks === 0 || passed < latencyMs / 3 ? 'queued' : 'running'
      }
      const result = run()
      result.catch(() => undefined)
      const job = {
        id,
        model,
        createdAt,
        wasRunning: false,
        position: [...jobs.values()].filter((other) => other.state() === 'queued').length,
        look() {
          const now = state()
          looks++
          return now
        },
        state,
        cancel() {
          const now = state()
          if (now === 'done' || now === 'canceled') return false
          job.wasRunning = now === 'running'
          canceled = true
          return true
        },
        result,
      }
      jobs.set(id, job)
      return job
    },
    get: (id) => jobs.get(id),
    list: () => [...jobs.values()],
    remove: (id) => jobs.delete(id),
    clear: () => jobs.clear(),
  }
}
