import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { projectRecord } from './present.ts'
import { ProjectRecord } from './schema.ts'

export const getProject = defineRoute({
  id: 'projects.get',
  method: 'GET',
  path: '/projects/{projectId}',
  summary: 'Get a project',
  tag: 'Projects',
  permission: ['projects:read'],
  params: Type.Object({ projectId: id('The id of the project.') }),
  reply: { status: 200, description: 'The project.', schema: ProjectRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { projects }) {
    return { body: projectRecord(await projects.find(caller.account.id, params.projectId)) }
  },
})
