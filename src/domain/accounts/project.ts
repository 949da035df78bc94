import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { CountedPage, PageRequest } from '../page.ts'

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
  /** Seconds after which new uploads, and new outputs of its workflows, are removed. Undefined: the default of the plan. */
  uploadsExpireIn?: number
  outputsExpireIn?: number
  createdAt: number
  updatedAt: number
}

export interface ProjectChange extends Partial<Pick<Project, 'name' | 'description'>> {
  isPrivate?: boolean
  /** Null restores the default of the plan. */
  uploadsExpireIn?: number | null
  outputsExpireIn?: number | null
  updatedAt: number
}

/** Workflows outside the project use some of its workflows. */
export class ProjectUsed extends Error {}

/** The project to which contents were to move was deleted, or made public although they are private. */
export class MoveTargetGone extends Error {}

/** Projects that are deleted are not found. */
export interface ProjectStore {
  /** Stores a project; with `record`, see `KeyTaken`. Throws `QuotaReached` above `projectsMax`. */
  create(project: Project, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Project | undefined>
  findDefault(accountId: string): Promise<Project | undefined>
  list(accountId: string, page: PageRequest): Promise<CountedPage<Project>>
  /** False if the account has no such project. */
  update(accountId: string, id: string, change: ProjectChange): Promise<boolean>
  /**
   * Hides the project until its images and workflows are moved to `movesTo`, or removed. False if the account has no such project, or
   * it is the default one. Throws `ProjectUsed` if workflows would be removed that others use, and `MoveTargetGone`. Contents of deleted
   * projects that are still to move to this one share the fate of its contents.
   */
  markDeleted(accountId: string, id: string, mark: { movesTo: string | null; now: number }): Promise<boolean>
  /** Projects whose images and workflows are to be moved or removed. */
  listDeleted(): Promise<string[]>
}
