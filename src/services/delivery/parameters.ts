/** Parameters in the query of a URL: text, which the declared types read. */
import { isDataUrl } from '../../../shared/parameter-formats.ts'
import type { ParameterDeclaration } from '../../domain/workflow.ts'

/** JSON (RFC 8259): no sign but `-`, no leading zeros, no spaces. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The values that executing the workflow accepts. The text of a number is read as a number; other text stays as it is, because formats such as
 * `boolean` and `json` accept their text. A wrong text stays too, and is reported as a request to execute reports it.
 */
export function readParameters(
  declarations: readonly ParameterDeclaration[],
  parameters: readonly (readonly [name: string, text: string])[],
): Record<string, unknown> {
  const numbers = new Set(declarations.filter(({ type }) => type === 'number').map(({ name }) => name))
  return Object.fromEntries(
    parameters.map(([name, text]) => [name, numbers.has(name) && number.test(text) ? Number(text) : text]),
  )
}

/** Whether it has an image as a `data:` URL, which a request would store. */
export function hasDataUrl([, text]: readonly [name: string, text: string]): boolean {
  return isDataUrl(text) || /"data:image\//.test(text)
}
