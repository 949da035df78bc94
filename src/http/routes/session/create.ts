import Type from 'typebox'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { authorizeKey, authorizePlan } from '../../request/authorize.ts'
import { sessionCookie } from '../../request/cookie.ts'
import { assertSameOriginIfBrowser } from '../../request/csrf.ts'
import { rateLimit } from '../../request/rate-limit.ts'
import { sessionRecord } from './present.ts'
import { Session } from './schema.ts'

export const createSession = defineRoute({
  id: 'session.create',
  method: 'POST',
  path: '/session',
  summary: 'Sign in to the console',
  description:
    'Sets the cookie `tintype_session`, which authenticates requests of the console. The session has the permissions of the key and ends when the key is revoked or expires. Other clients send the key in the `Authorization` header.',
  tag: 'Session',
  permission: 'public',
  isSignIn: true,
  bodyBytesMax: limits.signInBodyBytesMax,
  body: Type.Object({ key: Type.String({ description: 'An API key.' }) }, closed),
  reply: {
    status: 201,
    description: 'The session was created.',
    schema: Session,
    headers: { 'Set-Cookie': 'The session: `tintype_session`, for the console.' },
  },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  async handle({ body, headers, method }, { sessions, counter, clock, baseUrl, docsUrl }) {
    assertSameOriginIfBrowser({ method, headers }, baseUrl())
    const caller = await sessions.identify(body.key.trim())
    if (caller === undefined)
      throw new Fault('unauthorized', 'The API key is unknown, expired or revoked. Sign in with a valid key.')
    const rate = await rateLimit(caller, counter, clock.now())
    authorizePlan(caller, [])
    if (rate.fault) throw rate.fault
    authorizeKey(caller, [])
    const token = await sessions.start(caller)
    return {
      status: 201,
      headers: { ...rate.headers, 'set-cookie': sessionCookie(token, baseUrl()), 'cache-control': 'no-store' },
      body: sessionRecord(await sessions.describe(caller), docsUrl()),
    }
  },
})
