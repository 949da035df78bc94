/** How many executions a worker is at, and who has a turn: one that waits for others lets another begin meanwhile. */

export interface Slots {
  /** Whether another may begin. */
  hasRoom(): boolean
  /** How many there are that have begun and not ended, and how many of them are away. */
  counts(): { begun: number; away: number }
  begin(): Slot
}

export interface Slot {
  /** As `Meanwhile` of the queue. */
  meanwhile<Value>(work: () => Promise<Value>): Promise<Value>
  end(): void
}

interface Options {
  atOnce: number
  /** Most that are away at once: past it they wait in their slots. */
  awayMax: number
  /** There may be room now. */
  onRoom(): void
}

export function createSlots({ atOnce, awayMax, onRoom }: Options): Slots {
  let present = 0
  let away = 0
  /** They go before those that have not begun. */
  const returning: (() => void)[] = []

  function left(): void {
    present -= 1
    callBack()
    if (present < atOnce) onRoom()
  }

  function callBack(): void {
    while (present < atOnce && returning.length > 0) {
      present += 1
      away -= 1
      returning.shift()?.()
    }
  }

  return {
    hasRoom: () => present < atOnce,
    counts: () => ({ begun: present + away, away }),
    begin() {
      present += 1
      /** How much it waits for at once. */
      let waits = 0
      let isAway = false
      /** Work may outlive it: of what was aborted, some takes its time. */
      let hasEnded = false
      let coming: PromiseWithResolvers<void> | undefined
      const arrive = () => {
        isAway = false
        coming?.resolve()
        coming = undefined
      }
      return {
        async meanwhile(work) {
          waits += 1
          if (!isAway && !hasEnded && away < awayMax) {
            isAway = true
            away += 1
            left()
          }
          try {
            return await work()
          } finally {
            waits -= 1
            if (isAway && !hasEnded && waits === 0 && coming === undefined) {
              coming = Promise.withResolvers()
              returning.push(arrive)
              callBack()
            }
            await coming?.promise
          }
        },
        end() {
          hasEnded = true
          if (!isAway) return left()
          away -= 1
          if (coming) returning.splice(returning.indexOf(arrive), 1)
          coming?.resolve()
        },
      }
    },
  }
}
