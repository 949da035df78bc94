import type { Project, ProjectChange, ProjectStore } from '../../domain/accounts/project.ts'
import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { notFound } from '../../errors.ts'
import type { Privacy } from '../images/privacy.ts'

export interface Projects {
  /** Creates a project; with `once`, returns the project that the same request created before. */
  create(
    accountId: string,
    project: { name: string; description?: string; isPrivate?: boolean | undefined },
    once?: IdempotentCreate,
  ): Promise<Project>
  /** Fields that are undefined stay as they are. Throws `not_found`. */
  update(accountId: string, id: string, change: Omit<ProjectChange, 'updatedAt'>): Promise<Project>
  find(accountId: string, id: string): Promise<Project>
  list(accountId: string, page: PageRequest): Promise<Page<Project>>
}

interface Dependencies {
  projects: ProjectStore
  privacy: Privacy
  clock: Clock
}

export function createProjects({ projects, privacy, clock }: Dependencies): Projects {
  async function find(accountId: string, id: string): Promise<Project> {
    const project = await projects.find(accountId, id)
    if (project === undefined) throw notFound('project', id)
    return project
  }

  return {
    async create(accountId, { name, description = '', isPrivate = false }, once) {
      if (isPrivate) privacy.require('private')
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const project: Project = {
        ...newProject(accountId, name, description, clock),
        ...(isPrivate ? { isPrivate } : {}),
      }
      await projects.create(project, once?.record)
      return project
    },
    async update(accountId, id, change) {
      if (change.isPrivate) privacy.require('private')
      if (!(await projects.update(accountId, id, { ...change, updatedAt: clock.now() }))) throw notFound('project', id)
      return find(accountId, id)
    },

    find,
    list: (accountId, page) => projects.list(accountId, page),
  }
}

/** This project, or the account's default one. Throws `not_found`. */
export async function projectIdOf(
  projects: Pick<ProjectStore, 'find' | 'findDefault'>,
  accountId: string,
  projectId: string | undefined,
): Promise<string> {
  const project =
    projectId === undefined ? await projects.findDefault(accountId) : await projects.find(accountId, projectId)
  if (project === undefined) throw notFound('project', projectId ?? 'Default')
  return project.id
}

export function newProject(
  accountId: string,
  name: string,
  description: string,
  clock: Clock,
  isDefault = false,
): Project {
  const now = clock.now()
  return { id: newId('proj', now), accountId, name, description, isDefault, createdAt: now, updatedAt: now }
}
