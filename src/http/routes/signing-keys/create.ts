import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { refuseWithBudget } from '../../../services/accounts/account-keys.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { expiryInDays } from '../schema.ts'
import { settingsOf, signingKeyRecord } from './present.ts'
import { NewSigningKeyRecord, settingFields } from './schema.ts'

const dayMs = 86_400_000

export const createSigningKey = defineRoute({
  id: 'signingKeys.create',
  method: 'POST',
  path: '/signing-keys',
  summary: 'Create a signing key',
  description: `A signing key signs delivery URLs and URLs of images. It can't send requests to the API. Only the responses that create or rotate a key have its secret. An account can have at most ${limits.signingKeysMax} valid signing keys.`,
  tag: 'Signing keys',
  permission: ['all'],
  showsSecret: true,
  body: Type.Object(
    {
      ...settingFields,
      expiresInDays: expiryInDays('Days (24 hours each) until all URLs of the key are rejected. Default: never.'),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The key was created.',
    schema: NewSigningKeyRecord,
    headers: { Location: 'URL of the key.' },
  },
  async handle({ body: { expiresInDays, ...body }, caller, once }, { signingKeys, clock, baseUrl }) {
    const expiry = expiresInDays === undefined ? {} : { expiresAt: clock.now() + expiresInDays * dayMs }
    if (body.monthlyBudgetUsd) refuseWithBudget(caller)
    const key = await signingKeys.create(caller.account.id, { ...settingsOf(body), ...expiry }, once)
    const headers = { location: `${baseUrl()}/signing-keys/${key.id}`, ...noStore }
    return { status: 201, headers, body: { ...(await signingKeyRecord(key, signingKeys)), secret: key.secret } }
  },
})
