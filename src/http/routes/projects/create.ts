import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { projectRecord } from './present.ts'
import { ProjectRecord, projectFields } from './schema.ts'

export const createProject = defineRoute({
  id: 'projects.create',
  method: 'POST',
  path: '/projects',
  summary: 'Create a project',
  description: `An account can have ${limits.projectsMax} projects by default (\`quotas\` of \`GET /usage\`).`,
  tag: 'Projects',
  permission: ['projects:write'],
  body: Type.Object(projectFields, closed),
  reply: {
    status: 201,
    description: 'The project was created.',
    schema: ProjectRecord,
    headers: { Location: 'URL of the project.' },
  },
  async handle({ body: { private: isPrivate, ...body }, caller, once }, { projects, baseUrl }) {
    const project = await projects.create(caller.account.id, { ...body, isPrivate }, once)
    const location = `${baseUrl()}/projects/${project.id}`
    return { status: 201, headers: { location }, body: projectRecord(project) }
  },
})
