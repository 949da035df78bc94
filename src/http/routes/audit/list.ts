import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { pageOf, paging } from '../pages.ts'
import { parseTimes } from '../schema.ts'
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
    schema: pageOf('AuditPage', { entries: Type.Array(AuditEntry) }),
  },
  async handle(request, { auditLog }) {
    const { page, filter, fieldsOf } = paging(request)
    const { createdAfter, createdBefore, ...rest } = filter
    const found = await auditLog.list(request.caller.account.id, page, {
      ...rest,
      ...parseTimes({ createdAfter, createdBefore }),
    })
    return { body: { entries: found.items.map(auditRecord), ...fieldsOf(found) } }
  },
})
