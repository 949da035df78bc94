/** Converts projects to response bodies. */

import type { Project } from '../../../domain/accounts/project.ts'
import { timestamp } from '../../../domain/clock.ts'

export function projectRecord({ id, name, description, isPrivate, createdAt, updatedAt }: Project) {
  const access = isPrivate ? { private: true } : {}
  return { id, name, description, ...access, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
