import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
import { signingKeyRecord } from './present.ts'
import { SigningKeyRecord } from './schema.ts'

const endedDays = limits.keyEndedSeconds / 86_400

export const listSigningKeys = defineRoute({
  id: 'signingKeys.list',
  method: 'GET',
  path: '/signing-keys',
  summary: 'List signing keys, newest first',
  description: `Includes revoked and expired keys of the last ${endedDays} days, about the newest ${limits.keysEndedMax}.`,
  tag: 'Signing keys',
  permission: ['all'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of signing keys.',
    schema: pageOf('SigningKeyPage', { signingKeys: Type.Array(SigningKeyRecord) }),
  },
  async handle({ query, caller }, { signingKeys }) {
    const found = await signingKeys.list(caller.account.id, query)
    const keys = await Promise.all(found.items.map((key) => signingKeyRecord(key, signingKeys)))
    return { body: { signingKeys: keys, total: found.total, hasMore: hasMore(found, query) } }
  },
})
