import type { ImageFilter } from '../../api/images.ts'

/** The URL parameters of the storage page: the filters, the order and the open image. */
export interface StorageSearch {
  project?: string
  source?: NonNullable<ImageFilter['source']>
  search?: string
  sort?: NonNullable<ImageFilter['sort']>
  image?: string
}

export const sourceLabels = { upload: 'Uploads', output: 'Outputs' } as const
export const sortLabels = {
  newest: 'Newest',
  oldest: 'Oldest',
  largest: 'Largest',
  smallest: 'Smallest',
  name: 'Name',
} as const

export function storageSearch({ project, image, source, search, sort }: Record<string, unknown>): StorageSearch {
  return {
    ...(isKey(sourceLabels, source) ? { source } : {}),
    ...(typeof search === 'string' && search !== '' ? { search } : {}),
    ...(isKey(sortLabels, sort) && sort !== 'newest' ? { sort } : {}),
    ...(typeof project === 'string' ? { project } : {}),
    ...(typeof image === 'string' ? { image } : {}),
  }
}

function isKey<Labels extends object>(labels: Labels, value: unknown): value is keyof Labels {
  return typeof value === 'string' && Object.hasOwn(labels, value)
}
