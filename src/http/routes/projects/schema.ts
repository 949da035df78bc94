/** Schemas of projects. */
import Type from 'typebox'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { limits } from '../../../limits.ts'
import { Timestamp } from '../schema.ts'

/** The fields of a request. */
export const projectFields = {
  name: Type.String({ ...nameText, minLength: 1 }),
  description: Type.Optional(Type.String({ ...storableText, maxLength: limits.descriptionCharsMax })),
  private: Type.Optional(
    Type.Boolean({
      description:
        'Whether the URLs of all images of the project, also of outputs of its workflows, require a signature that expires.',
    }),
  ),
}

export const ProjectRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    private: Type.Optional(Type.Literal(true, { description: 'The URLs of its images require a signature.' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
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
