/** Schema of the session. */
import Type from 'typebox'
import { grants } from '../../../domain/accounts/key.ts'
import { planNames } from '../../../domain/accounts/plan.ts'
import { named } from '../../../domain/named-schema.ts'
import { Timestamp } from '../schema.ts'

export const Session = Type.Object(
  {
    account: Type.Object(
      { id: Type.String(), name: Type.String(), plan: Type.Enum(planNames) },
      named('SessionAccount'),
    ),
    key: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        prefix: Type.String({ description: 'The first characters of the key.' }),
        permissions: Type.Array(Type.Enum(grants)),
        expiresAt: Type.Optional(Timestamp),
        test: Type.Optional(Type.Literal(true, { description: 'A test key.' })),
      },
      named('SessionKey'),
    ),
    docsUrl: Type.Optional(
      Type.String({ format: 'uri', description: 'The documentation of the service. Missing with `DOCS=false`.' }),
    ),
  },
  named('Session'),
)
