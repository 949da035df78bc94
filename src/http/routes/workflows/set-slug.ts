import Type from 'typebox'
import { Slug } from '../../../domain/workflows/workflow.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { versionEtag, workflowDetail } from './present.ts'
import { WorkflowDetail } from './schema.ts'

export const setSlug = defineRoute({
  id: 'workflows.setSlug',
  method: 'PUT',
  path: '/workflows/{workflowId}/slug',
  summary: 'Set the slug of a workflow',
  description:
    'The slug is a name that you can use in place of the id to execute the workflow. It belongs to the workflow, not to a version. The former slug is free for other workflows immediately.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  body: Type.Object({ slug: Slug }, closed),
  reply: {
    status: 200,
    description: 'The slug was set.',
    schema: WorkflowDetail,
    headers: { ETag: 'Newest version, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ params, body, caller }, { workflows }) {
    const { workflow, document } = await workflows.setSlug(caller.account.id, params.workflowId, body.slug)
    return { headers: { etag: versionEtag(workflow.version) }, body: workflowDetail(workflow, document) }
  },
})
