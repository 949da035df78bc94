import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { downloadDocs, downloadHeaders } from '../../response/file-response.ts'
import { parseTimes } from '../schema.ts'
import { auditFilter } from './schema.ts'

export const getAuditCsv = defineRoute({
  id: 'audit.csv',
  method: 'GET',
  path: '/audit.csv',
  summary: 'Download the audit log as CSV',
  description:
    'One line for each entry, newest first. `before` and `after` are JSON. A cell that a spreadsheet could run as a formula has an apostrophe in front.',
  tag: 'Audit log',
  permission: ['audit:read'],
  query: Type.Object(auditFilter, closed),
  reply: { status: 200, description: 'The file.', mediaType: 'text/csv', headers: downloadDocs },
  async handle({ query: { createdAfter, createdBefore, ...filter }, caller, method }, { auditLog }) {
    const chosen = { ...filter, ...parseTimes({ createdAfter, createdBefore }) }
    const headers = downloadHeaders('audit.csv', 'text/csv; charset=utf-8')
    return { headers, body: method === 'HEAD' ? null : auditLog.csv(caller.account.id, chosen) }
  },
})
