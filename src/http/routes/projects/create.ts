import Type from 'typebox'
import { storableText } from '../../../domain/storable-text.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { projectRecord } from './present.ts'
import { ProjectRecord } from './schema.ts'

export const createProject = defineRoute({
  id: 'projects.create',
  method: 'POST',
  path: '/projects',
  summary: 'Create a project',
  tag: 'Projects',
  permission: ['projects:write'],
  body: Type.Object(
    {
      name: Type.String({ ...storableText, minLength: 1, maxLength: limits.nameCharsMax }),
      description: Type.Optional(Type.String({ ...storableText, maxLength: limits.descriptionCharsMax })),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The project was created.',
    schema: ProjectRecord,
    headers: { Location: 'URL of the list of projects.' },
  },
  async handle({ body, caller, once }, { projects, baseUrl }) {
    const project = await projects.create(caller.account.id, body, once)
    // No route returns a single project.
    return { status: 201, headers: { location: `${baseUrl()}/projects` }, body: projectRecord(project) }
  },
})
