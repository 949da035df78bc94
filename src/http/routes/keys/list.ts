import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
import { keyRecord } from './present.ts'
import { KeyRecord } from './schema.ts'

const endedDays = limits.keyEndedSeconds / 86_400

export const listKeys = defineRoute({
  id: 'keys.list',
  method: 'GET',
  path: '/keys',
  summary: 'List API keys, newest first',
  description: `Includes revoked and expired keys of the last ${endedDays} days, about the newest ${limits.keysEndedMax}.`,
  tag: 'Keys',
  permission: ['all'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of keys.',
    schema: pageOf('ApiKeyPage', { keys: Type.Array(KeyRecord) }),
  },
  async handle({ query, caller }, { accountKeys }) {
    const found = await accountKeys.list(caller.account.id, query)
    const keys = found.items.map((key) => keyRecord(key, caller))
    return { body: { keys, total: found.total, hasMore: hasMore(found, query) } }
  },
})
