import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Page, PageRequest } from './page.ts'

/** A group of workflows and images of one account. */
export interface Project {
  id: string
  accountId: string
  name: string
  description: string
  /** The account's first project: where a workflow goes that names none. */
  isDefault: boolean
  createdAt: number
  updatedAt: number
}

export interface ProjectStore {
  /** With `record`: see `KeyTaken`. */
  create(project: Project, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Project | undefined>
  findDefault(accountId: string): Promise<Project | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Project>>
}
