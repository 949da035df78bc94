/** Content Credentials of files: verification, and the bytes of stored images for it. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, api, unwrap } from './client.ts'
import { imagePath, imageQuery } from './images.ts'
import type { Schemas } from './types.ts'

export type VerifiedFile = Schemas['VerifiedFile']
/** A manifest with those of its ingredients. */
export type CredentialManifest = Schemas['CredentialManifest']
export type CredentialAction = Schemas['CredentialAction']

/** A stored image, or a file that the user chose. `number` identifies the file: the same file can be chosen again after a change. */
export type VerifiedSource = { imageId: string } | { file: File; number: number }

export interface Verification {
  file: File
  verified: VerifiedFile
}

/** Verifies the bytes of the source. Nothing is stored. */
export const verificationQuery = (source: VerifiedSource, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['credentials', 'imageId' in source ? source.imageId : source.number],
    queryFn: async ({ signal }): Promise<Verification> => {
      const file = 'imageId' in source ? await storedFile(source.imageId, queryClient, signal) : source.file
      return { file, verified: await verifyFile(file, signal) }
    },
    // The bytes don't change, and a large file isn't sent again because the window gets the focus.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

export type Reexecution = Schemas['Reexecution']

/** Executes the recorded execution of the file again and compares the pixels. Takes as long as the execution, so it isn't retried. */
export const reexecutionQuery = ({ file, verified }: Verification) =>
  queryOptions({
    queryKey: ['credentials', 'reexecution', verified.sha256],
    queryFn: async ({ signal }): Promise<Reexecution | null> =>
      (await verifyFile(file, signal, { reexecute: 'true' })).reexecution ?? null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

function verifyFile(file: File, signal: AbortSignal, query: { reexecute?: 'true' } = {}): Promise<VerifiedFile> {
  const form = new FormData()
  form.append('file', file, file.name)
  return unwrap(api.POST('/verify', { params: { query }, body: { file: '' }, bodySerializer: () => form, signal }))
}

/** The bytes of a stored image, with its name. */
async function storedFile(imageId: string, queryClient: QueryClient, signal: AbortSignal): Promise<File> {
  const image = await queryClient.fetchQuery({ ...imageQuery(imageId), retry: false })
  let response: Response
  try {
    response = await fetch(imagePath(image), { signal })
    if (response.ok)
      return new File([await response.blob()], image.name, { type: response.headers.get('content-type') ?? '' })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiError(0, undefined)
  }
  throw new ApiError(response.status, await response.json().catch(() => undefined), response.headers)
}
