import { show } from '../../../shared/text.ts'
import {
  MoveTargetGone,
  type Project,
  type ProjectChange,
  type ProjectStore,
  ProjectUsed,
} from '../../domain/accounts/project.ts'
import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import type { Removal } from '../../domain/removal.ts'
import { invalidRequest, notFound } from '../../errors.ts'
import type { Privacy } from '../images/privacy.ts'
import { removeEach } from './account-removal.ts'

export interface Projects {
  /** Creates a project; with `once`, returns the project that the same request created before. */
  create(
    accountId: string,
    project: { name: string; description?: string; isPrivate?: boolean | undefined } & Pick<
      ProjectChange,
      'uploadsExpireIn' | 'outputsExpireIn'
    >,
    once?: IdempotentCreate,
  ): Promise<Project>
  /** Fields that are undefined stay as they are. Throws `not_found`. */
  update(accountId: string, id: string, change: Omit<ProjectChange, 'updatedAt'>): Promise<Project>
  /**
   * Deletes a project. Its images and workflows move to another project, `default` for the one of workflows that name no project, or they are deleted.
   * Continues although the caller disconnects. Returns how many.
   */
  remove(
    accountId: string,
    id: string,
    contents: { moveTo: string } | 'delete',
  ): Promise<{ images: number; workflows: number }>
  /** Continues the deletions that were interrupted. Returns the number of moved and removed rows. */
  removeMarked(rowsMax: number, signal?: AbortSignal): Promise<number>
  find(accountId: string, id: string): Promise<Project>
  list(accountId: string, page: PageRequest): Promise<CountedPage<Project>>
}

interface Dependencies {
  projects: ProjectStore
  privacy: Privacy
  removal: Pick<Removal, 'removeProject'>
  /** Removes the bytes of images. */
  removeBlob(key: string): Promise<void>
  clock: Clock
}

export function createProjects({ projects, privacy, removal, removeBlob, clock }: Dependencies): Projects {
  async function find(accountId: string, id: string): Promise<Project> {
    const project = await projects.find(accountId, id)
    if (project === undefined) throw notFound('project', id)
    return project
  }

  /** Images of a private project don't become public without a request that says so. */
  async function targetOf({ accountId, id, isPrivate }: Project, moveTo: string): Promise<string> {
    const target = moveTo === 'default' ? await projects.findDefault(accountId) : await projects.find(accountId, moveTo)
    if (target === undefined || target.id === id)
      throw invalidRequest([{ path: 'moveTo', message: `must be the id of another project, not ${show(moveTo)}` }])
    if (isPrivate && !target.isPrivate) {
      const message = `must be a private project, because the images of ${show(id)} are private. Make one of them private, or the other one public, first.`
      throw invalidRequest([{ path: 'moveTo', message }])
    }
    return target.id
  }

  return {
    async create(accountId, { name, description = '', isPrivate = false, uploadsExpireIn, outputsExpireIn }, once) {
      if (isPrivate) privacy.require('private')
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const project: Project = {
        ...newProject(accountId, name, description, clock),
        ...(isPrivate ? { isPrivate } : {}),
        ...(uploadsExpireIn ? { uploadsExpireIn } : {}),
        ...(outputsExpireIn ? { outputsExpireIn } : {}),
      }
      await projects.create(project, once?.record)
      return project
    },
    async update(accountId, id, change) {
      if (change.isPrivate) privacy.require('private')
      if (!(await projects.update(accountId, id, { ...change, updatedAt: clock.now() }))) throw notFound('project', id)
      return find(accountId, id)
    },

    async remove(accountId, id, contents) {
      const project = await find(accountId, id)
      if (project.isDefault)
        throw invalidRequest([{ path: 'projectId', message: "is the default project, which can't be deleted." }])
      const movesTo = contents === 'delete' ? null : await targetOf(project, contents.moveTo)
      try {
        if (!(await projects.markDeleted(accountId, id, { movesTo, now: clock.now() }))) throw notFound('project', id)
      } catch (error) {
        // Deleted or made public since it was read.
        if (error instanceof MoveTargetGone && contents !== 'delete') await targetOf(project, contents.moveTo)
        if (!(error instanceof ProjectUsed)) throw error
        const message =
          'is a project whose workflows are used by workflows of other projects. Delete those first, or send "move".'
        throw invalidRequest([{ path: 'projectId', message }])
      }
      const { rows, blobKeys } = await removal.removeProject(id)
      for (const key of blobKeys) await removeBlob(key)
      return { images: rows.images ?? 0, workflows: rows.workflows ?? 0 }
    },
    removeMarked: async (rowsMax, signal) =>
      removeEach(await projects.listDeleted(), { rowsMax, signal }, removal.removeProject),

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
