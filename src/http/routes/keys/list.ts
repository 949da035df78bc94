import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { id } from '../schema.ts'
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
  query: Type.Object(
    { ...PageQuery, workflowId: Type.Optional(id('Return only the run links of the workflow with this id.')) },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of keys.',
    schema: countedPageOf('ApiKeyPage', { keys: Type.Array(KeyRecord) }),
  },
  async handle(request, { accountKeys }) {
    const { page, fieldsOf } = paging(request)
    const found = await accountKeys.list(request.caller.account.id, page, request.query.workflowId)
    const keys = await Promise.all(found.items.map((key) => keyRecord(key, request.caller, accountKeys)))
    return { body: { keys, ...fieldsOf(found) } }
  },
})
