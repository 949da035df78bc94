/** The number of repetitions of a test: few by default, many with `TEST_FULL=1`. */

/**
 * `TEST_FULL=all`, for example before a release: tests that try every call, scenario or operation try all of them, instead of one of
 * each kind.
 */
export const isExhaustive = process.env.TEST_FULL === 'all'

/** `npm run test:full`. No other file reads the variable. */
export const isFull = process.env.TEST_FULL === '1' || isExhaustive

/** The number of rounds or of random cases: `few` by default, `full` with `TEST_FULL=1`. */
export const repetitions = (few: number, full: number): number => (isFull ? full : few)

/** A filter that keeps the first element of each name. */
export function isFirst<T>(nameOf: (element: T) => string): (element: T) => boolean {
  const names = new Set<string>()
  return (element) => {
    const size = names.size
    return names.add(nameOf(element)).size > size
  }
}
