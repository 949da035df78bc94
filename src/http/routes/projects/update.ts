import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { projectRecord } from './present.ts'
import { ProjectRecord, projectFields } from './schema.ts'

export const updateProject = defineRoute({
  id: 'projects.update',
  method: 'PUT',
  path: '/projects/{projectId}',
  summary: 'Update a project',
  description:
    'Fields that the request omits stay as they are. If `private` changes, that takes effect immediately for all images of the project.',
  tag: 'Projects',
  permission: ['projects:write'],
  params: Type.Object({ projectId: id('The id of the project.') }),
  body: Type.Object({ ...projectFields, name: Type.Optional(projectFields.name) }, closed),
  reply: { status: 200, description: 'The project was updated.', schema: ProjectRecord },
  errors: ['not_found'],
  async handle({ params, body: { private: isPrivate, ...body }, caller }, { projects }) {
    const change = { ...body, ...(isPrivate === undefined ? {} : { isPrivate }) }
    return { body: projectRecord(await projects.update(caller.account.id, params.projectId, change)) }
  },
})
