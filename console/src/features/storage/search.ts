/** The URL parameters of the storage page: the project and the open image. */
export interface StorageSearch {
  project?: string
  image?: string
}

export function storageSearch({ project, image }: Record<string, unknown>): StorageSearch {
  return {
    ...(typeof project === 'string' ? { project } : {}),
    ...(typeof image === 'string' ? { image } : {}),
  }
}
