/** What the address of the storage says: which project is shown, and which image is open. */
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
