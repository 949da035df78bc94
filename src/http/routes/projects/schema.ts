/** Schemas of projects. */
import Type from 'typebox'
import { closed } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'

export const ProjectRecord = Type.Object(
  { id: Type.String(), name: Type.String(), description: Type.String(), createdAt: Timestamp, updatedAt: Timestamp },
  closed,
)
