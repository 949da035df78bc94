/** The URL parameters of the page of the audit log: its filters and its page. */
import type { AuditEntry } from '../../api/audit.ts'

/** The actions of the filter, in its order. */
export const actions: readonly AuditEntry['action'][] = [
  'account.create',
  'account.update',
  'batch.cancel',
  'batch.create',
  'batch.delete',
  'batch.update',
  'brand.save',
  'channel.delete',
  'channel.move',
  'draft.create',
  'draft.delete',
  'font.delete',
  'font.upload',
  'image.delete',
  'image.update',
  'image.upload',
  'key.create',
  'key.revoke',
  'project.create',
  'project.delete',
  'project.update',
  'session.end',
  'session.start',
  'signingKey.create',
  'signingKey.revoke',
  'signingKey.update',
  'webhookEndpoint.create',
  'webhookEndpoint.delete',
  'webhookEndpoint.update',
  'webhookSecret.rotate',
  'workflow.create',
  'workflow.delete',
  'workflow.publish',
  'workflow.save',
  'workflow.setSlug',
]

export interface AuditSearch {
  action?: AuditEntry['action']
  subject?: string
  /** Page number from 2. */
  page?: number
}

export function auditSearch({ action, subject, page }: Record<string, unknown>): AuditSearch {
  const number = Number(page)
  return {
    ...(actions.includes(action as AuditEntry['action']) ? { action: action as AuditEntry['action'] } : {}),
    ...(typeof subject === 'string' && subject !== '' ? { subject } : {}),
    ...(Number.isInteger(number) && number > 1 ? { page: number } : {}),
  }
}
