/** The combinations of engine, store and processes on which the black-box suite runs. */

/** The backing of `npm test`: SQLite and files in one process. */
export const defaultBacking = ''

/**
 * Each pair of two choices (engine, store, number of processes, process of image work) occurs in one of these or in the default.
 * Faults come from one choice or from two that meet, so all combinations would find little more, in twice the time.
 * SQLite has one process only. The longest first, so that none runs alone at the end.
 */
export const backings = ['postgres+files+many+separate', 'postgres+s3+many', 'sqlite+s3+separate', 'postgres+files']

/** Where the suites that start many processes run as well: with the default, each engine, store and number of processes. */
export const startingProcesses = ['postgres+files+many+separate', 'sqlite+s3+separate']

/** The remaining combinations: `npm run test:matrix -- --all`. */
export const otherBackings = [
  'postgres+s3+many+separate',
  'postgres+files+many',
  'postgres+s3+separate',
  'postgres+files+separate',
  'postgres+s3',
  'sqlite+s3',
  'separate',
]
