import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteFont = defineRoute({
  id: 'fonts.delete',
  method: 'DELETE',
  path: '/fonts/{fontId}',
  summary: 'Delete a font',
  description: 'Executions that ask for it fail from then on; pictures that were made with it stay.',
  tag: 'Fonts',
  permission: ['storage:write'],
  params: Type.Object({ fontId: id('A font.') }),
  reply: { status: 200, description: 'Deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { fonts }) {
    await fonts.remove(caller.account.id, params.fontId)
    return { body: { deleted: true } }
  },
})
