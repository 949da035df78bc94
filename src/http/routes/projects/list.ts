import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { projectRecord } from './present.ts'
import { ProjectRecord } from './schema.ts'

export const listProjects = defineRoute({
  id: 'projects.list',
  method: 'GET',
  path: '/projects',
  summary: 'List projects, newest first',
  tag: 'Projects',
  permission: ['projects:read'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of projects.',
    schema: countedPageOf('ProjectPage', { projects: Type.Array(ProjectRecord) }),
  },
  async handle(request, { projects }) {
    const { page, fieldsOf } = paging(request)
    const found = await projects.list(request.caller.account.id, page)
    return { body: { projects: found.items.map(projectRecord), ...fieldsOf(found) } }
  },
})
