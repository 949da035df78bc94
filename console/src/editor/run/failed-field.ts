/** The field that can repair a failed step. */
import type { Operation } from '../../api/types.ts'

/** An error of the API. `details.issues` have paths if the service knows them. */
interface Failure {
  message: string
  details: Record<string, unknown>
}

interface ParamsSchema {
  properties?: object
  required?: string[]
}

/**
 * The path of the first issue, or the param that the message names, or the first required param, or the first socket.
 */
export function failedField({ message, details }: Failure, node: string, operation: Operation | undefined): string {
  const [issue] = Array.isArray(details.issues) ? (details.issues as { path?: unknown }[]) : []
  if (typeof issue?.path === 'string') return issue.path
  const { properties = {}, required = [] } = (operation?.params ?? {}) as ParamsSchema
  const names = Object.keys(properties)
  const words = message.match(/[A-Za-z]+/g) ?? []
  const param = words.find((word) => names.includes(word)) ?? required[0] ?? names[0]
  if (param !== undefined) return `nodes.${node}.params.${param}`
  const [socket] = operation?.inputs ?? []
  return socket === undefined ? `nodes.${node}.id` : `nodes.${node}.inputs.${socket.name}`
}
