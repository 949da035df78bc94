import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
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
    schema: countedPageOf('SigningKeyPage', { signingKeys: Type.Array(SigningKeyRecord) }),
  },
  async handle(request, { signingKeys }) {
    const { page, fieldsOf } = paging(request)
    const found = await signingKeys.list(request.caller.account.id, page)
    const keys = await Promise.all(found.items.map((key) => signingKeyRecord(key, signingKeys)))
    return { body: { signingKeys: keys, ...fieldsOf(found) } }
  },
})
