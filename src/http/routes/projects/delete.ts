import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'

const DeletedProject = Type.Object(
  {
    deleted: Type.Literal(true),
    images: Type.Integer({ description: 'Number of images that were moved or deleted.' }),
    workflows: Type.Integer({ description: 'Number of workflows that were moved or deleted.' }),
  },
  named('DeletedProject'),
)

export const deleteProject = defineRoute({
  id: 'projects.delete',
  method: 'DELETE',
  path: '/projects/{projectId}',
  summary: 'Delete a project',
  description:
    "`contents=move` moves its images, workflows and drafts to the project `moveTo`. `contents=delete` deletes them; executions of the workflows and images in other projects stay. It is rejected as long as workflows of other projects use one of the workflows. The default project can't be deleted, and the images of a private project only move to another private one. The brand values of the project are deleted.",
  tag: 'Projects',
  permission: ['projects:write'],
  params: Type.Object({ projectId: id('The id of the project.') }),
  query: Type.Object(
    {
      contents: Type.Enum(['move', 'delete'], {
        description: 'Whether its images and workflows move to another project, or are deleted.',
      }),
      moveTo: Type.Optional(
        Type.String({
          description: 'The id of the project that gets them. Default: the default project of the account.',
          minLength: 1,
          maxLength: 100,
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The project was deleted.',
    schema: DeletedProject,
  },
  errors: ['not_found'],
  async handle({ params, query: { contents, moveTo = 'default' }, caller }, { projects }) {
    const target = contents === 'delete' ? contents : { moveTo }
    const removed = await projects.remove(caller.account.id, params.projectId, target)
    return { body: { deleted: true, ...removed } }
  },
})
