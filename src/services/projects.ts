import type { Clock } from '../domain/clock.ts'
import { newId } from '../domain/ids.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import type { Project, ProjectStore } from '../domain/project.ts'

export interface Projects {
  create(accountId: string, project: { name: string; description?: string }): Promise<Project>
  list(accountId: string, page: PageRequest): Promise<Page<Project>>
}

export function createProjects({ projects, clock }: { projects: ProjectStore; clock: Clock }): Projects {
  return {
    async create(accountId, { name, description = '' }) {
      const project = newProject(accountId, name, description, clock)
      await projects.create(project)
      return project
    },
    list: (accountId, page) => projects.list(accountId, page),
  }
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
