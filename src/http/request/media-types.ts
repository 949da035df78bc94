/** The media types of the body of each route, as they are documented. */
import { show } from '../../../shared/text.ts'
import { type Fault, invalidRequest } from '../../errors.ts'
import type { Route } from '../define-route.ts'

export function mediaTypesOf({ stream, upload }: Pick<Route, 'stream' | 'upload'>): string[] {
  if (stream !== undefined) return Object.keys(stream).filter((type) => stream[type]?.description !== undefined)
  return [upload ? 'multipart/form-data' : 'application/json']
}

/** `a, b or c`. */
export function anyOf(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]+)$/, ' or $1')
}

/** `received`: the header `Content-Type`. */
export function wrongMediaType(received: string | undefined, expected: readonly string[]): Fault {
  const [type = ''] = (received ?? '').split(';')
  const not = type.trim() === '' ? '' : `, not ${show(type.trim())}`
  return invalidRequest([{ path: 'Content-Type', message: `must be ${anyOf(expected)}${not}` }])
}
