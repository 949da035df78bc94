import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

const shownMax = 8

/** Published workflows and drafts whose name contains the text. */
export const workflowSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['workflows', 'found', search],
    async queryFn({ signal }) {
      const options = { params: { query: { search, limit: shownMax } }, signal }
      const [{ workflows }, { drafts }] = await Promise.all([
        unwrap(api.GET('/workflows', options)),
        unwrap(api.GET('/workflows/drafts', options)),
      ])
      const all = new Map(drafts.map(({ workflowId, name }) => [workflowId, name]))
      for (const { id, name } of workflows) all.set(id, name)
      return [...all].slice(0, shownMax).map(([id, name]) => ({ id, name }))
    },
    placeholderData: keepPreviousData,
  })
