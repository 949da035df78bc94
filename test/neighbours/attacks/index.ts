/** The rows of the tests and of the benchmark: each is one way in which an account could stop or slow down the service for others. */
import type { Attack } from '../load.ts'
import { largeTemplates } from './large-templates.ts'
import { longContains } from './long-contains.ts'
import { refusedConnections } from './refused-connections.ts'
import { validateLarge } from './validate.ts'
import { wrongKeys } from './wrong-keys.ts'

export const attacks: readonly Attack[] = [
  largeTemplates,
  longContains,
  validateLarge,
  refusedConnections(500),
  wrongKeys,
]
