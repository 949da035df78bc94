import { show } from '../../shared/text.ts'
import { limits } from '../limits.ts'
import { storableText } from './storable-text.ts'

/**
 * The name of a record in a request: not only white space, which would look like no name. An empty name passes: if one is required, its
 * `minLength` is 1. Stored records can have other names.
 */
export const nameText = {
  pattern: '^(\\s*[^\\s\\u0000][^\\u0000]*)?$',
  'x-expected': `non-blank ${storableText['x-expected']}`,
  maxLength: limits.nameCharsMax,
}

const expression = new RegExp(nameText.pattern, 'u')

/** The problem of a name that fits the schema of a stored record. */
export function nameProblem(name: string): string | undefined {
  return expression.test(name) ? undefined : `must be ${nameText['x-expected']}, not ${show(name)}`
}
