/** Schemas of projects. */
import Type from 'typebox'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { limits } from '../../../limits.ts'
import { expiresInField, Timestamp } from '../schema.ts'

function expiresInDefault(images: string) {
  return Type.Optional(
    Type.Union([expiresInField('Seconds.'), Type.Null()], {
      description: `Seconds after which new ${images} are removed, if the request has no \`expiresIn\`. Null: the time of the plan, if there is one. Images that exist stay as they are.`,
    }),
  )
}

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
  uploadsExpireIn: expiresInDefault('images that are uploaded to the project'),
  outputsExpireIn: expiresInDefault('outputs of executions of its workflows'),
}

export const ProjectRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    private: Type.Optional(Type.Literal(true, { description: 'The URLs of its images require a signature.' })),
    uploadsExpireIn: Type.Optional(Type.Integer({ description: 'Seconds after which new uploads are removed.' })),
    outputsExpireIn: Type.Optional(Type.Integer({ description: 'Seconds after which new outputs are removed.' })),
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
