import { defineRoute } from '../../define-route.ts'
import { sessionRecord } from './present.ts'
import { Session } from './schema.ts'

export const getSession = defineRoute({
  id: 'session.get',
  method: 'GET',
  path: '/session',
  summary: 'Get the account and permissions of the key',
  tag: 'Session',
  permission: [],
  reply: { status: 200, description: 'The account and the key.', schema: Session },
  handle: async ({ caller }, { sessions, docsUrl }) => ({
    body: sessionRecord(await sessions.describe(caller), docsUrl()),
  }),
})
