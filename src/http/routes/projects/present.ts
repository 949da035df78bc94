/** Converts projects to response bodies. */

import type { Project } from '../../../domain/accounts/project.ts'
import { timestamp } from '../../../domain/clock.ts'

export function projectRecord({ id, name, description, isPrivate, createdAt, updatedAt, ...project }: Project) {
  const access = isPrivate ? { private: true } : {}
  const { uploadsExpireIn, outputsExpireIn } = project
  const expiry = {
    ...(uploadsExpireIn === undefined ? {} : { uploadsExpireIn }),
    ...(outputsExpireIn === undefined ? {} : { outputsExpireIn }),
  }
  return {
    id,
    name,
    description,
    ...access,
    ...expiry,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}
