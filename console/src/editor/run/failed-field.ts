/** Which field a failed step is mended at. */
import type { Operation } from '../../api/types.ts'

/** Of an error: `details.issues` name a path, where the service knows one. */
interface Failure {
  message: string
  details: Record<string, unknown>
}

interface ParamsSchema {
  properties?: object
  required?: string[]
}

/** The path that is told; else the param whose name is in the message; else the first that has to be set, or be wired. */
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
