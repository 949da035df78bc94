import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { expiredCookie, sessionTokenOf } from '../../request/cookie.ts'
import { assertSameOrigin } from '../../request/csrf.ts'
import { Deleted } from '../schema.ts'

export const deleteSession = defineRoute({
  id: 'session.delete',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out of the console',
  description: 'Ends the session of the cookie, if there is one, and deletes the cookie. The key remains valid.',
  tag: 'Session',
  permission: 'public',
  bodyBytesMax: limits.signInBodyBytesMax,
  reply: {
    status: 200,
    description: 'The session was ended.',
    schema: Deleted,
    headers: { 'Set-Cookie': 'Deletes the cookie.' },
  },
  errors: ['forbidden'],
  async handle({ headers, method }, { sessions, baseUrl }) {
    const token = sessionTokenOf(headers.cookie)
    if (token !== undefined) assertSameOrigin({ method, headers }, baseUrl())
    if (token !== undefined && token !== 'malformed') await sessions.end(token)
    return { headers: { 'set-cookie': expiredCookie(baseUrl()), 'cache-control': 'no-store' }, body: { deleted: true } }
  },
})
