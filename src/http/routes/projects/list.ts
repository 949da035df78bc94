import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
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
    schema: pageOf('ProjectPage', { projects: Type.Array(ProjectRecord) }),
  },
  async handle({ query, caller }, { projects }) {
    const found = await projects.list(caller.account.id, query)
    return { body: { projects: found.items.map(projectRecord), total: found.total, hasMore: hasMore(found, query) } }
  },
})
