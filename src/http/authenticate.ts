import type { Caller } from '../domain/key.ts'
import { Fault } from '../errors.ts'
import type { Keys } from '../services/keys.ts'

/** `Authorization: Bearer <API_KEY>`; the scheme in any case (RFC 9110, 11.1). Which part was wrong is told, never the key. */
export async function authenticate(header: string | undefined, keys: Keys): Promise<Caller> {
  if (header === undefined) throw unauthorized('The Authorization header is missing')
  const [, text] = /^Bearer +(\S+)$/i.exec(header) ?? []
  if (text === undefined) throw unauthorized('The Authorization header is malformed')
  const caller = await keys.authenticate(text)
  if (caller === undefined) throw unauthorized('The API key is unknown, expired or revoked')
  return caller
}

function unauthorized(problem: string): Fault {
  return new Fault('unauthorized', `${problem}; send "Authorization: Bearer <API_KEY>" with a live key.`)
}
