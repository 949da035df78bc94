/** A part of the suite: a `describe` that can run on its own or beside others. */
import { describe } from 'node:test'

interface Options {
  concurrency?: number
  /** Why, if the area is skipped. */
  skip?: string | false
}

const waiting: (() => void)[] = []
let together = false

/** From now on areas wait for `runTogether`. A file of areas that is run by itself never comes here. */
export function collect(): void {
  together = true
}

export function area(name: string, options: Options, body: () => void): void {
  const register = (): void => {
    // Written out, because a describe inherits the concurrency of the one around it.
    describe(name, { concurrency: options.concurrency ?? 1, skip: options.skip ?? false }, body)
  }
  if (together) waiting.push(register)
  else register()
}

/** All areas that have waited, a few at a time. */
export function runTogether(name: string, options: Options): void {
  describe(name, options, () => {
    for (const register of waiting) register()
  })
}
