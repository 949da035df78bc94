import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { Page, PageRequest } from '../page.ts'

/** A group of workflows and images of one account. */
export interface Project {
  id: string
  accountId: string
  name: string
  description: string
  /** Whether it is the first project of the account: workflows that name no project belong to it. */
  isDefault: boolean
  /** Whether all its images, also outputs of its workflows, require signed URLs. */
  isPrivate?: true
  createdAt: number
  updatedAt: number
}

export interface ProjectChange extends Partial<Pick<Project, 'name' | 'description'>> {
  isPrivate?: boolean
  updatedAt: number
}

export interface ProjectStore {
  /** Stores a project; with `record`, see `KeyTaken`. Throws `QuotaReached` above `projectsMax`. */
  create(project: Project, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Project | undefined>
  findDefault(accountId: string): Promise<Project | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Project>>
  /** False if the account has no such project. */
  update(accountId: string, id: string, change: ProjectChange): Promise<boolean>
}
