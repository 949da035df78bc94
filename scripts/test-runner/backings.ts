/** The combinations of engine, store and processes on which the black-box suite runs. */

/** The backing of `npm test`: SQLite and files in one service. */
export const defaultBacking = ''

/**
 * Each pair of two choices (engine, store, number of services) occurs in one of these or in the default. Faults come from one choice or from two
 * that meet, so all combinations would find little more. SQLite has one service only. The longest first, so that none runs alone at the end.
 */
export const backings = ['postgres+s3+many', 'postgres+files', 'sqlite+s3', 'postgres+files+many']

/**
 * Combinations on which the suites that start many processes run as well: the default, each engine, store and number of
 * services.
 */
export const startingProcesses = ['postgres+files+many', 'sqlite+s3']

/** The remaining combinations: `npm run test:matrix -- --all`. */
export const otherBackings = ['postgres+s3']
