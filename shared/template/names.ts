/** Problems of names in templates: the same messages in the service and in the console. */
import { didYouMean } from '../suggest.ts'
import { list, show } from '../text.ts'

export function unknownParameter(name: string, known: readonly string[]): string {
  return `uses the parameter ${show(name)}, which does not exist. ${hint(name, known) || 'Declare it in "parameters".'}`
}

/** The name in a message of `unknownParameter`; undefined for other messages and for names that no parameter can have. */
export function missingParameter(message: string): string | undefined {
  return /uses the parameter "([A-Za-z][A-Za-z0-9_-]{0,63})", which does not exist\./.exec(message)?.[1]
}

export function unknownNode(id: string, known: readonly string[]): string {
  return `uses the node ${show(id)}, which does not exist. ${hint(id, known)}`.trimEnd()
}

export function unknownValue(name: string, node: string, known: readonly string[]): string {
  return `uses the value ${show(name)} of node ${show(node)}, which does not exist. ${hint(name, known)}`.trimEnd()
}

/** Problem for `item` and `index`. */
export function onlyWithEach(name: string): string {
  return `uses ${show(name)}, which is only available in nodes with \`each\``
}

export function unknownFilter(name: string, known: Iterable<string>): string {
  return `uses the filter ${show(name)}, which does not exist. ${didYouMean(name, known)}`.trimEnd()
}

export function unknownTag(name: string, known: Iterable<string>): string {
  return `uses the tag ${show(name)}, which does not exist. ${didYouMean(name, known)}`.trimEnd()
}

/** A suggestion, or the known names. */
function hint(name: string, known: readonly string[]): string {
  return didYouMean(name, known) || (known.length > 0 ? `Available: ${list(known)}.` : '')
}
