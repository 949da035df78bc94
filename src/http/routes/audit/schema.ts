/** Schemas of the audit log. */
import Type from 'typebox'
import { actorTypes, auditActionNames } from '../../../domain/accounts/audit.ts'
import { named } from '../../../domain/named-schema.ts'
import { PageQuery } from '../pages.ts'
import { id, Timestamp, timeField } from '../schema.ts'

const Facts = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

const Actor = Type.Object(
  {
    type: Type.Enum([...actorTypes], {
      description: '`key`: an API key. `session`: the console. `command`: the operator. `service`: Tintype itself.',
    }),
    keyId: Type.Optional(Type.String({ description: 'The key of the request or of the session.' })),
    sessionId: Type.Optional(Type.String({ description: 'The session, by the start of the hash of its token.' })),
    command: Type.Optional(Type.String({ description: 'Such as `keys create`.' })),
    address: Type.Optional(Type.String({ description: 'The address of the client.' })),
  },
  named('AuditActor'),
)

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    action: Type.Enum(auditActionNames),
    subject: Type.String({
      description:
        'The id of the changed record. The workflow for a draft and a channel; the account or the project for brand values.',
    }),
    actor: Actor,
    before: Facts('Fields of the record before the change. Null for a new record.'),
    after: Facts('The same fields after the change. Null for a deleted record.'),
  },
  named('AuditEntry'),
)

export const auditFilter = {
  action: Type.Optional(Type.Enum(auditActionNames, { description: 'Return only entries with this action.' })),
  subject: Type.Optional(id('Return only changes of this record.')),
  keyId: Type.Optional(id('Return only changes with this key, or with a session of it.')),
  createdAfter: Type.Optional(timeField('Return only entries created at or after this time.')),
  createdBefore: Type.Optional(timeField('Return only entries created before this time.')),
}

export const auditQuery = { ...PageQuery, ...auditFilter }
