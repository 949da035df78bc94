/** The audit log of an account, in pages and as CSV. */
import type { AuditEntry, AuditFilter, AuditStore } from '../../domain/accounts/audit.ts'
import { timestamp } from '../../domain/clock.ts'
import type { Page, PageRequest, Place } from '../../domain/page.ts'
import { csvOf, inPieces, textOf } from '../csv.ts'

export interface AuditLog {
  /** Newest first. */
  list(accountId: string, page: PageRequest, filter: AuditFilter): Promise<Page<AuditEntry>>
  csv(accountId: string, filter: AuditFilter): AsyncIterable<Uint8Array>
}

const rowsAtOnce = 500

export function createAuditLog({ audit }: { audit: AuditStore }): AuditLog {
  async function* csv(accountId: string, filter: AuditFilter): AsyncGenerator<Uint8Array, void> {
    yield await csvOf([columns])
    let after: Place | undefined
    do {
      const { items, next } = await audit.list(accountId, { limit: rowsAtOnce, offset: 0, after }, filter)
      yield* inPieces(items.map((entry) => () => cellsOf(entry)))
      after = next ?? undefined
    } while (after !== undefined)
  }

  return { list: audit.list, csv }
}

const columns = [
  ...['id', 'createdAt', 'action', 'subject', 'actor', 'keyId', 'sessionId', 'command', 'address'],
  ...['before', 'after'],
]

function cellsOf({ id, createdAt, action, subject, actor, before, after }: AuditEntry): string[] {
  const { type, keyId, sessionId, command, address } = actor
  const values = [id, timestamp(createdAt), action, subject, type, keyId, sessionId, command, address, before, after]
  return values.map(textOf)
}
