/** The URL parameter of the brand page: the project, or the account without one. */
export interface BrandSearch {
  project?: string
}

export function brandSearch({ project }: Record<string, unknown>): BrandSearch {
  return typeof project === 'string' ? { project } : {}
}
