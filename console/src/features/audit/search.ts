/** The URL parameters of the page of the audit log: its filters and its page. */
import type { AuditEntry } from '../../api/audit.ts'
import { type CursorSearch, cursorSearch } from '../../ui/cursors.ts'

/** A missing or unknown action doesn't compile. */
const isAction: Record<AuditEntry['action'], true> = {
  'account.create': true,
  'account.update': true,
  'batch.cancel': true,
  'batch.create': true,
  'batch.delete': true,
  'batch.update': true,
  'brand.save': true,
  'channel.delete': true,
  'channel.move': true,
  'draft.create': true,
  'draft.delete': true,
  'font.delete': true,
  'font.upload': true,
  'image.bin': true,
  'image.delete': true,
  'image.restore': true,
  'image.update': true,
  'image.upload': true,
  'key.create': true,
  'key.update': true,
  'key.revoke': true,
  'project.create': true,
  'project.delete': true,
  'project.update': true,
  'session.end': true,
  'session.start': true,
  'signingKey.create': true,
  'signingKey.revoke': true,
  'signingKey.update': true,
  'webhookEndpoint.create': true,
  'webhookEndpoint.delete': true,
  'webhookEndpoint.update': true,
  'webhookSecret.rotate': true,
  'workflow.create': true,
  'workflow.delete': true,
  'workflow.publish': true,
  'workflow.save': true,
  'workflow.setSlug': true,
}

/** The actions of the filter, in its order. */
export const actions = Object.keys(isAction) as AuditEntry['action'][]

export interface AuditSearch extends CursorSearch {
  action?: AuditEntry['action']
  subject?: string
}

export function auditSearch({ action, subject, cursor }: Record<string, unknown>): AuditSearch {
  return {
    ...(actions.includes(action as AuditEntry['action']) ? { action: action as AuditEntry['action'] } : {}),
    ...(typeof subject === 'string' && subject !== '' ? { subject } : {}),
    ...cursorSearch(cursor),
  }
}
