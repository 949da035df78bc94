/** Lets a program that changes a copy of a database kill itself at each of its writes: see `dyingAt`. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { isExhaustive } from './repetitions.ts'

interface KilledWrites {
  program: string
  /** The filled database. */
  file: string
  /** Arguments of the program, after the file, the number of the write, and `before`, `after` or `never`. */
  args: readonly string[]
  /** One of this number of writes is tested; with TEST_FULL=all, each. */
  every: number
  writesMin: number
  /** Runs on the database of a program that was killed, or that was not (`isWhole`). */
  check(file: string, point: { isWhole: boolean; label: string }): Promise<void>
}

export async function killAtWrites({ program, file, args, every, writesMin, check }: KilledWrites): Promise<void> {
  async function run(copy: string, nth: number, when: string): Promise<{ signal: string | null; writes: number }> {
    copyFileSync(file, copy)
    const child = fork(program, [copy, `${nth}`, when, ...args])
    let writes = 0
    child.on('message', (message: { writes: number }) => {
      writes = message.writes
    })
    const [, signal] = await once(child, 'exit')
    return { signal, writes }
  }

  const whole = `${file}-whole`
  const { signal, writes } = await run(whole, 0, 'never')
  assert.equal(signal, null)
  assert.ok(writes >= writesMin, `${writes} writes`)
  await check(whole, { isWhole: true, label: 'not killed' })

  const numbers = Array.from({ length: writes }, (_, i) => i + 1).filter(
    (nth) => isExhaustive || nth % every === 2 % every,
  )
  const points = numbers.flatMap((nth) => [
    { nth, when: 'before' },
    // Before its commit. Most are the last of their transaction, and a kill before the next one comes after it.
    ...(isExhaustive ? [{ nth, when: 'after' }] : []),
  ])
  await Promise.all(
    [0, 1].map(async () => {
      for (let point = points.shift(); point !== undefined; point = points.shift()) {
        const label = `${point.when} write ${point.nth} of ${writes}`
        const copy = `${file}-${point.nth}-${point.when}`
        assert.equal((await run(copy, point.nth, point.when)).signal, 'SIGKILL', label)
        await check(copy, { isWhole: false, label })
        rmSync(copy)
      }
    }),
  )
}
