import Type from 'typebox'
import { show } from '../../../shared/text.ts'
import { invalidRequest } from '../../errors.ts'

/** The declaration of the header, for a route that reads it with `parseIfMatch`. */
export function ifMatchHeader(noun: 'version' | 'draft' | 'channel' | 'brand') {
  return { 'If-Match': { description: `The ETag of the ${noun} that you changed.`, schema: Type.String() } }
}

/** The number of an `If-Match` (our ETags are numbers). Undefined without the header and for `*` (RFC 9110, 13.1.1). */
export function parseIfMatch(ifMatch: string | undefined, noun: string): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, number] = /^(?:W\/)?"(\d{1,15})"$/.exec(ifMatch.trim()) ?? []
  if (number === undefined)
    throw invalidRequest([
      { path: 'If-Match', message: `must be the ETag of a ${noun} with its quotes, such as "3", not ${show(ifMatch)}` },
    ])
  return Number(number)
}
