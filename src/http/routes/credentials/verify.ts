import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { authorizeKey } from '../../request/authorize.ts'
import { VerifiedFile } from './schema.ts'

export const verifyFile = defineRoute({
  id: 'credentials.verify',
  method: 'POST',
  path: '/verify',
  summary: 'Verify the Content Credentials of a file',
  description:
    'Reports who signed the file (C2PA), whether it has changed since, how it was made, and the same of each ingredient. Nothing is stored, and no request is sent to an address that the file names. With `reexecute=true`, the recorded execution of an output runs again without the cache, as far as it depends on no AI model, and its pixels are compared. This also requires the permission `workflows:execute`.',
  tag: 'Content Credentials',
  permission: ['storage:read'],
  upload: ['file'],
  query: Type.Object(
    {
      reexecute: Type.Optional(Type.Enum(['true', 'false'], { description: 'Execute again, and compare the pixels.' })),
    },
    closed,
  ),
  body: Type.Object({}, closed),
  reply: { status: 200, description: 'The facts in the file.', schema: VerifiedFile },
  async handle({ file, query, caller, signal }, { verification }) {
    const reexecutes = query.reexecute === 'true'
    if (reexecutes) authorizeKey(caller, ['workflows:execute'])
    return { body: await verification.verify(caller.account.id, file, { signal, reexecutes }) }
  },
})
