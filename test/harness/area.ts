/** A part of the suite: a `describe` that can run alone or together with others. */
import { describe, test } from 'node:test'
import { canDiffer, type DependsOn, isMatrix } from './backing.ts'
import { isFull } from './repetitions.ts'

interface Options {
  concurrency?: number
  /** Reason, if the area is skipped. */
  skip?: string | false
  /** It starts several services, or takes seconds: together with others it runs in the full run and in the matrix only. */
  isSlow?: true
  /**
   * What the area depends on, by default everything: it runs on every combination of the matrix. Areas about the queue,
   * events, limits, sessions, webhooks, batches, deliveries or stored files never depend on less. `npm test` runs all
   * areas.
   */
  dependsOn?: DependsOn
}

/**
 * A test that runs if its area runs alone, in the full run and in the matrix. The other tests of its area are the main path of the feature,
 * which `npm test` runs.
 */
export let fullOnly: typeof test = test

const waiting: (() => void)[] = []
let together = false

/** Makes areas wait for `runTogether`. An area whose file runs alone doesn't wait. */
export function collect(): void {
  together = true
  if (!isFull && !isMatrix) fullOnly = Object.assign(async () => {}, test)
}

export function area(name: string, options: Options, body: () => void): void {
  const register = (): void => {
    // Explicit, because a describe inherits the concurrency of the one around it.
    describe(name, { concurrency: options.concurrency ?? 1, skip: options.skip ?? false }, body)
  }
  if (together && options.isSlow && !isFull && !isMatrix) return
  if (together && !canDiffer(options.dependsOn ?? 'everything')) return
  if (together) waiting.push(register)
  else register()
}

/** Runs all waiting areas, a few at a time. */
export function runTogether(name: string, options: Options): void {
  describe(name, options, () => {
    for (const register of waiting) register()
  })
}
