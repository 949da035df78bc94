/** Schemas of projects. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { Timestamp } from '../schema.ts'

export const ProjectRecord = Type.Object(
  { id: Type.String(), name: Type.String(), description: Type.String(), createdAt: Timestamp, updatedAt: Timestamp },
  {
    ...named('Project'),
    examples: [
      {
        id: 'proj_06h15x0nmc00a1tqg3m5y0w2v8fk',
        name: 'Spring campaign',
        description: '',
        createdAt: '2026-11-25T13:48:06.118Z',
        updatedAt: '2026-11-25T13:48:06.118Z',
      },
    ],
  },
)
