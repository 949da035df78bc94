import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { defineRoute } from '../../define-route.ts'
import { projectRecord } from '../present.ts'
import { PageFacts, PageQuery, ProjectRecord } from '../schema.ts'

export const listProjects = defineRoute({
  id: 'projects.list',
  method: 'GET',
  path: '/projects',
  summary: 'List projects, newest first',
  tag: 'Projects',
  permission: ['projects:read'],
  query: Type.Object(PageQuery, { additionalProperties: false }),
  reply: {
    status: 200,
    description: 'A page of projects.',
    schema: Type.Object({ projects: Type.Array(ProjectRecord), ...PageFacts }),
  },
  async handle({ query, caller }, { projects }) {
    const found = await projects.list(caller.account.id, query)
    return { body: { projects: found.items.map(projectRecord), total: found.total, hasMore: hasMore(found, query) } }
  },
})
