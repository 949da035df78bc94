/** Converts projects to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { Project } from '../../../domain/project.ts'

export function projectRecord({ id, name, description, createdAt, updatedAt }: Project) {
  return { id, name, description, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
