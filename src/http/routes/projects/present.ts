/** Converts projects to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { Project } from '../../../domain/project.ts'

export function projectRecord({ id, name, description, isPrivate, createdAt, updatedAt }: Project) {
  const access = isPrivate ? { private: true } : {}
  return { id, name, description, ...access, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
