/** Converts entries of the audit log to response bodies. */
import type { AuditEntry } from '../../../domain/accounts/audit.ts'
import { timestamp } from '../../../domain/clock.ts'

export function auditRecord({ id, createdAt, action, subject, actor, before, after }: AuditEntry) {
  return { id, createdAt: timestamp(createdAt), action, subject, actor, before, after }
}
