import { type Kysely, sql } from 'kysely'
import type { Actor, AuditAction, AuditEntry, AuditFacts, AuditStore } from '../../../domain/accounts/audit.ts'
import type { Schema } from '../schema.ts'
import type { AuditRow } from '../schema-audit.ts'
import { readPage } from '../sql/read-page.ts'

export function createAuditStore(db: Kysely<Schema>): AuditStore {
  return {
    async list(accountId, page, { action, subject, keyId, createdAfter, createdBefore }) {
      let matching = db.selectFrom('audit_log').where('account_id', '=', accountId)
      // A record has few entries. As expressions, the other columns don't lead SQLite to their indexes.
      const filtered = (column: 'action' | 'key_id') =>
        subject === undefined ? sql.ref(column) : sql`${sql.ref(column)} || ''`
      if (subject !== undefined) matching = matching.where('subject', '=', subject)
      if (action !== undefined) matching = matching.where(filtered('action'), '=', action)
      if (keyId !== undefined) matching = matching.where(filtered('key_id'), '=', keyId)
      if (createdAfter !== undefined) matching = matching.where('created_at', '>=', createdAfter)
      if (createdBefore !== undefined) matching = matching.where('created_at', '<', createdBefore)
      return readPage(page, {
        table: db.selectFrom('audit_log'),
        matching,
        columns: (rows) => rows.selectAll(),
        toItem: toEntry,
      })
    },
  }
}

function toEntry(row: AuditRow): AuditEntry {
  const { key_id, session_id, command, address } = row
  const factsIn = (text: string | null) => (text === null ? null : (JSON.parse(text) as AuditFacts))
  return {
    id: row.id,
    accountId: row.account_id,
    createdAt: row.created_at,
    action: row.action as AuditAction,
    subject: row.subject,
    actor: {
      type: row.actor as Actor['type'],
      ...(key_id === null ? {} : { keyId: key_id }),
      ...(session_id === null ? {} : { sessionId: session_id }),
      ...(command === null ? {} : { command }),
      ...(address === null ? {} : { address }),
    },
    before: factsIn(row.before),
    after: factsIn(row.after),
  }
}
