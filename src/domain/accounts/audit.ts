/** The audit log: who changed which record, from where, and the state before and after. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Page, PageRequest } from '../page.ts'

export const auditActions = {
  'account.create': 'An account was created.',
  'account.update':
    'The plan, the rate limit, the budget or the storage of an account was changed, or it was suspended or resumed.',
  'key.create': 'An API key was created.',
  'key.update': 'The settings of an API key were changed.',
  'key.revoke': 'An API key was revoked, or replaced by another one.',
  'signingKey.create': 'A signing key was created.',
  'signingKey.update': 'The settings of a signing key were changed.',
  'signingKey.revoke': 'A signing key was revoked, or replaced by another one.',
  'session.start': 'Someone signed in to the console.',
  'session.end': 'Someone signed out of the console.',
  'project.create': 'A project was created.',
  'project.update': 'The name, the description or the privacy of a project was changed.',
  'project.delete': 'A project was deleted.',
  'brand.save': 'The brand values of the account or of a project were saved.',
  'workflow.create': 'A workflow was saved for the first time.',
  'workflow.save': 'A document was saved as the next version of a workflow.',
  'workflow.publish': 'A draft was published as the next version of a workflow.',
  'workflow.setSlug': 'The slug of a workflow was set or removed.',
  'workflow.delete': 'A workflow was deleted.',
  'draft.create': 'A draft was created.',
  'draft.delete': 'A draft was deleted without publishing it.',
  'channel.move': 'A channel was created or points to another version.',
  'channel.delete': 'A channel was deleted.',
  'image.upload': 'An image was uploaded.',
  'image.update': 'The name, the project or the privacy of an image was changed.',
  'image.bin': 'An image was moved to the bin.',
  'image.restore': 'An image was restored from the bin.',
  'image.delete': 'An image was deleted.',
  'font.upload': 'A font was uploaded.',
  'font.delete': 'A font was deleted.',
  'batch.create': 'A batch was created.',
  'batch.update': 'The name, the maximum cost or the status of a batch was changed.',
  'batch.cancel': 'A batch was cancelled.',
  'batch.delete': 'A batch was deleted.',
  'webhookEndpoint.create': 'A webhook endpoint was created.',
  'webhookEndpoint.update': 'A webhook endpoint or its secret was changed, or the endpoint was disabled.',
  'webhookEndpoint.delete': 'A webhook endpoint was deleted.',
  'webhookSecret.rotate': 'The webhook secret of the account was replaced.',
} as const

export type AuditAction = keyof typeof auditActions

export const auditActionNames = Object.keys(auditActions) as AuditAction[]

/** `service`: Tintype itself, for example when it disables a failing endpoint. */
export const actorTypes = ['key', 'session', 'command', 'service'] as const

export interface Actor {
  type: (typeof actorTypes)[number]
  /** The API key of the request, or the key of the session. */
  keyId?: string | undefined
  sessionId?: string | undefined
  /** Such as `keys create`. */
  command?: string | undefined
  /** The address of the client of a request. */
  address?: string | undefined
}

/** Some fields of a record, never secrets. Documents and other long texts are hashes. */
export type AuditFacts = Record<string, unknown>

export interface AuditEntry {
  id: string
  accountId: string
  createdAt: number
  action: AuditAction
  /** The id of the changed record. */
  subject: string
  actor: Actor
  /** Null for a new record. */
  before: AuditFacts | null
  /** Null for a deleted record. */
  after: AuditFacts | null
}

export interface AuditFilter {
  action?: AuditAction | undefined
  subject?: string | undefined
  keyId?: string | undefined
  /** Milliseconds since the epoch, included. */
  createdAfter?: number | undefined
  createdBefore?: number | undefined
}

/** Entries are written by the stores of the other nouns, in the transaction of each change. Nothing changes them. */
export interface AuditStore {
  /** Newest first. */
  list(accountId: string, page: PageRequest, filter: AuditFilter): Promise<Page<AuditEntry>>
}

const actors = new AsyncLocalStorage<Actor>()

/** Runs work whose changes are recorded with this actor. */
export function actAs<Result>(actor: Actor, work: () => Result): Result {
  return actors.run(actor, work)
}

export function currentActor(): Actor {
  return actors.getStore() ?? { type: 'service' }
}

/** Runs the work later as the actor of now, if another request starts it. */
export function asCurrentActor<Work extends (...args: never[]) => unknown>(work: Work): Work {
  return AsyncLocalStorage.bind(work)
}
