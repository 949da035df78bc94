import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { VerifiedFile } from './schema.ts'

export const verifyFile = defineRoute({
  id: 'credentials.verify',
  method: 'POST',
  path: '/verify',
  summary: 'Verify the Content Credentials of a file',
  description:
    'Reports who signed the file (C2PA), whether it has changed since, how it was made, and the same of each ingredient. The image is not decoded and not stored. No request is sent to an address that the file names.',
  tag: 'Content Credentials',
  permission: ['storage:read'],
  upload: true,
  body: Type.Object({}, closed),
  reply: { status: 200, description: 'The facts in the file.', schema: VerifiedFile },
  async handle({ file, caller, signal }, { verification }) {
    return { body: await verification.verify(caller.account.id, file, signal) }
  },
})
