/** The URL parameters of the gallery. */
export const sortings = ['newest', 'updated', 'name'] as const
export type Sorting = (typeof sortings)[number]

export interface GallerySearch {
  search?: string
  project?: string
  sort?: Exclude<Sorting, 'newest'>
}

export function gallerySearch({ search, project, sort }: Record<string, unknown>): GallerySearch {
  return {
    ...(typeof search === 'string' && search !== '' ? { search } : {}),
    ...(typeof project === 'string' ? { project } : {}),
    ...(sort === 'updated' || sort === 'name' ? { sort } : {}),
  }
}
