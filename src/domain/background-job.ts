/** When background jobs last started. One process is enough for each. */
export interface BackgroundJobStore {
  /**
   * Starts a job: returns true for one of any number of callers at the same time. Then false for all until `everyMs`
   * have passed, or until the clock is set back by more.
   */
  start(name: string, now: number, everyMs: number): Promise<boolean>
  /** When the oldest account was created; undefined if there is none. */
  recordsSince(): Promise<number | undefined>
}
