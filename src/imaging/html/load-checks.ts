import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads the parsers with the first document, which takes 40 ms: most services draw no HTML. The check of workflows can't wait. */
export function loadChecks(): typeof import('./check-markup.ts') {
  return require('./check-markup.ts') as typeof import('./check-markup.ts')
}
