import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { cursorFields, parseCursor, parseTimes, uncountedPageOf } from '../schema.ts'
import { auditRecord } from './present.ts'
import { AuditEntry, auditQuery } from './schema.ts'

export const listAudit = defineRoute({
  id: 'audit.list',
  method: 'GET',
  path: '/audit',
  summary: 'List the audit log, newest first',
  description:
    'Every change of the account, except executions and the saved states of drafts. Entries contain no secrets, and hashes of documents and other long texts.',
  tag: 'Audit log',
  permission: ['audit:read'],
  query: Type.Object(auditQuery, closed),
  reply: {
    status: 200,
    description: 'A page of entries.',
    schema: uncountedPageOf('AuditPage', { entries: Type.Array(AuditEntry) }),
  },
  async handle({ query: { limit, offset, cursor, createdAfter, createdBefore, ...filter }, caller }, { auditLog }) {
    const page = { limit, offset, after: parseCursor(cursor) }
    const found = await auditLog.list(caller.account.id, page, {
      ...filter,
      ...parseTimes({ createdAfter, createdBefore }),
    })
    return { body: { entries: found.items.map(auditRecord), ...cursorFields(found) } }
  },
})
