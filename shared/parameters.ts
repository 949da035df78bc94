/** Values of parameters against their declarations. */
import { parameterCharsMax } from './limits.ts'
import { list, show } from './text.ts'

export interface ParameterType {
  type: 'string' | 'number'
  enum?: readonly string[]
  minimum?: number
  maximum?: number
}

/** The problem of a value; undefined if it is valid. Nothing is converted. */
export function parameterProblem(declaration: ParameterType, value: unknown): string | undefined {
  if (typeof value !== declaration.type) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    return `must be a ${declaration.type}, not ${show(value)} (${kind})`
  }
  if (declaration.type === 'string') {
    const text = value as string
    if (text.length > parameterCharsMax) return `must have at most ${parameterCharsMax} characters, not ${text.length}`
    if (declaration.enum && !declaration.enum.includes(text))
      return `must be one of ${list(declaration.enum)}, not ${show(text)}`
    return undefined
  }
  const number = value as number
  if (!Number.isFinite(number)) return 'must be a finite number'
  if (declaration.minimum !== undefined && number < declaration.minimum)
    return `must be at least ${declaration.minimum}, not ${number}`
  if (declaration.maximum !== undefined && number > declaration.maximum)
    return `must be at most ${declaration.maximum}, not ${number}`
  return undefined
}
