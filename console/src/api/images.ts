/** Stored images: the list, one image, uploads with progress, and deletion. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { imageIdPattern } from '../../../shared/names.ts'
import { ApiError, api, hasStatus, unwrap } from './client.ts'
import { byCursor, pageAt } from './paging.ts'
import type { operations } from './schema.d.ts'
import { watchSession } from './session-ended.ts'
import type { ImageDetail, ImageItem, Schemas } from './types.ts'

const pageSize = 40

/** Filters and order of the list. Default: all images, the newest first. */
export type ImageFilter = Pick<
  NonNullable<operations['images.list']['parameters']['query']>,
  'projectId' | 'source' | 'search' | 'sort'
>

/** The list, by pages. */
export function imagesQuery(filter: ImageFilter = {}) {
  return infiniteQueryOptions({
    queryKey: ['images', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/storage/images', {
          params: { query: { ...filter, ...pageAt(pageSize, pageParam) } },
          signal,
        }),
      ),
    ...byCursor,
  })
}

export function imageQuery(imageId: string) {
  return queryOptions({
    queryKey: ['images', 'one', imageId],
    queryFn: ({ signal }) => unwrap(api.GET('/storage/images/{imageId}', { params: { path: { imageId } }, signal })),
    staleTime: 300_000,
  })
}

const idPattern = new RegExp(imageIdPattern)

export function isImageId(text: string): boolean {
  return idPattern.test(text)
}

/** Looks again for images that were not found: one may have been restored in another window. */
export function refetchMissing(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({
    queryKey: ['images', 'one'],
    predicate: ({ state }) => state.status === 'error',
  })
}

/** Which of the images don't exist, for example because they were deleted. An image that can't be read now is not one of them. */
export async function missingImages(queryClient: QueryClient, imageIds: readonly string[]): Promise<Set<string>> {
  const missing = await Promise.all(
    imageIds.map((id) =>
      queryClient.fetchQuery({ ...imageQuery(id), staleTime: 0 }).then(
        () => [],
        (error) => (hasStatus(error, 404) ? [id] : []),
      ),
    ),
  )
  return new Set(missing.flat())
}

/** Files that a file dialog offers as images: media types, with the endings that browsers may not know. */
export const imageFileTypes = {
  'image/*': [],
  'application/pdf': ['.pdf'],
  'image/vnd.adobe.photoshop': ['.psd', '.psb'],
}

/** Whether a dropped or pasted file may be an image. Browsers don't know the type of every PSD. */
export function isImageFile({ type, name }: File): boolean {
  return type.startsWith('image/') || type === 'application/pdf' || /\.ps[db]$/i.test(name)
}

export interface UploadOptions {
  name?: string
  projectId?: string
  /** Reports the share of the bytes that were sent, from 0 to 1. */
  onProgress?: (progress: number) => void
  signal?: AbortSignal
}

/** Uses XMLHttpRequest, because fetch doesn't report the progress of an upload. */
export function uploadImage(file: File, { name, projectId, onProgress, signal }: UploadOptions = {}) {
  return new Promise<ImageDetail>((resolve, reject) => {
    const form = new FormData()
    if (projectId !== undefined) form.append('projectId', projectId)
    if (name !== undefined) form.append('name', name)
    form.append('file', file, file.name)
    const reportEnd = watchSession()
    const request = new XMLHttpRequest()
    request.open('POST', '/v1/storage/upload')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status === 201) return resolve(request.response as ImageDetail)
      if (request.status === 401) reportEnd()
      reject(new ApiError(request.status, request.response))
    }
    request.onerror = () => reject(new ApiError(0, undefined))
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

/** Uploads an image and adds it to the query cache. */
export async function storeImage(queryClient: QueryClient, file: File, options?: UploadOptions): Promise<ImageDetail> {
  const image = await uploadImage(file, options)
  queryClient.setQueryData(imageQuery(image.id).queryKey, image)
  void refreshImages(queryClient)
  return image
}

export type ImageUses = Schemas['ImageUses']

/** The workflows that name the image in their newest version or draft, and the brands. */
export function imageUses(imageId: string): Promise<ImageUses> {
  return unwrap(api.GET('/storage/images/{imageId}/uses', { params: { path: { imageId } } }))
}

export function usesQuery(imageId: string) {
  return queryOptions({ queryKey: ['images', 'uses', imageId], queryFn: () => imageUses(imageId) })
}

/** Changes an image, and shows the change everywhere. */
export async function changeImage(
  queryClient: QueryClient,
  imageId: string,
  body: Schemas['ImagesUpdateRequest'],
): Promise<void> {
  const image = await unwrap(api.PUT('/storage/images/{imageId}', { params: { path: { imageId } }, body }))
  queryClient.setQueryData(imageQuery(imageId).queryKey, image)
  await refreshImages(queryClient)
}

/** Moves images to a project, or with null, out of projects. Private images stay private. */
export async function moveImages(
  queryClient: QueryClient,
  images: readonly Pick<ImageItem, 'id' | 'private'>[],
  projectId: string | null,
): Promise<void> {
  for (const part of partsOf(images, requestsAtATime))
    await Promise.all(
      part.map(({ id, private: isPrivate }) =>
        changeImage(queryClient, id, { projectId, ...(isPrivate ? { private: true } : {}) }),
      ),
    )
}

/** The bin, by pages. */
export const binQuery = infiniteQueryOptions({
  queryKey: ['images', 'bin'],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET('/storage/bin', { params: { query: pageAt(pageSize, pageParam) }, signal })),
  ...byCursor,
})

export type BinnedImage = Schemas['BinnedImage']

export function binThumbnailPath(imageId: string): string {
  return `/v1/storage/bin/${imageId}/thumbnail`
}

/** Deletes an image that no one has seen, without the bin. */
export async function deleteImage(imageId: string): Promise<void> {
  await unwrap(api.DELETE('/storage/images/{imageId}', { params: { path: { imageId } } }))
}

/** Moves images to the bin. */
export async function binImages(ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids, idsMax))
    await unwrap(api.DELETE('/storage/images', { params: { query: { ids: part.join(), bin: 'true' } } }))
}

export async function restoreImages(ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids, idsMax)) await unwrap(api.POST('/storage/bin/restore', { body: { ids: part } }))
}

/** Deletes images of the bin for good. `ids`: only these. */
export async function emptyBin(ids?: readonly string[]): Promise<void> {
  if (ids !== undefined) {
    for (const part of partsOf(ids, idsMax))
      await unwrap(api.DELETE('/storage/bin', { params: { query: { ids: part.join() } } }))
    return
  }
  while ((await unwrap(api.DELETE('/storage/bin'))).hasMore);
}

/** `imageIdsMax` of the service. */
const idsMax = 100
const requestsAtATime = 4

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

/** Refetches the images, and those in the bin, after a change. */
export async function refreshImages(queryClient: QueryClient): Promise<void> {
  await Promise.all(['list', 'bin'].map((part) => queryClient.invalidateQueries({ queryKey: ['images', part] })))
}

/** The id of an image. `url`: the URL of the image in a response, which ends in `<id>.<extension>`. */
export function imageIdOf(url: string): string {
  const [id = ''] = url.slice(url.lastIndexOf('/') + 1).split('.')
  return id
}

/** The path of the thumbnail of an image on this origin. */
export function thumbnailPath(url: string): string {
  return `/images/${imageIdOf(url)}/thumbnail`
}

/** The file of an image. `path`: on this origin. */
export async function readImage(path: string): Promise<Response> {
  const response = await fetch(path)
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => undefined))
  return response
}

/** The path of an image on this origin. The URL from the API has the public address of the service. */
export function imagePath({ url }: Pick<ImageItem, 'url'>): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  // The query of a private image has its signature.
  return pathname + search
}
