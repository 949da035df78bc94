import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Page, PageRequest } from './page.ts'

/** A group of workflows and images of one account. */
export interface Project {
  id: string
  accountId: string
  name: string
  description: string
  /** Whether it is the first project of the account: workflows that name no project belong to it. */
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
