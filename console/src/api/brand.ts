/** Brand values of the account, and of its projects. */
import { queryOptions } from '@tanstack/react-query'
import { api, unwrapWithResponse } from './client.ts'
import type { Schemas } from './types.ts'

export type BrandValue = Schemas['BrandValue']
export type BrandValues = Schemas['Brand']['values']

export interface Brand {
  values: BrandValues
  /** Set for the brand of a project: the values of the account that it doesn't replace. */
  inherited: BrandValues
  /** ETag of the revision, for a save. */
  etag: string
}

/** `projectId`: undefined for the values of the account. */
export const brandQuery = (projectId?: string) =>
  queryOptions({
    queryKey: ['brand', projectId ?? null],
    async queryFn({ signal }): Promise<Brand> {
      return toBrand(
        await (projectId === undefined
          ? unwrapWithResponse<Saved>(api.GET('/brand', { signal }))
          : unwrapWithResponse<Saved>(
              api.GET('/projects/{projectId}/brand', { params: { path: { projectId } }, signal }),
            )),
      )
    },
    staleTime: 60_000,
  })

/** Replaces all values. `etag`: throws an `ApiError` with the code `precondition_failed` if the brand was saved in the meantime. */
export async function saveBrand(projectId: string | undefined, values: BrandValues, etag?: string): Promise<Brand> {
  const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag }
  const body = { values }
  return toBrand(
    await (projectId === undefined
      ? unwrapWithResponse<Saved>(api.PUT('/brand', { body, headers }))
      : unwrapWithResponse<Saved>(
          api.PUT('/projects/{projectId}/brand', { params: { path: { projectId } }, body, headers }),
        )),
  )
}

interface Saved {
  values: BrandValues
  inherited?: BrandValues
}

function toBrand({ data, response }: { data: Saved; response: Response }): Brand {
  return { values: data.values, inherited: data.inherited ?? {}, etag: response.headers.get('etag') ?? '*' }
}
