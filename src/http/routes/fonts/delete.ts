import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteFont = defineRoute({
  id: 'fonts.delete',
  method: 'DELETE',
  path: '/fonts/{fontId}',
  summary: 'Delete a font',
  description: 'Executions that use the font fail afterwards. Existing images are kept.',
  tag: 'Fonts',
  permission: ['storage:write'],
  liveOnly: true,
  params: Type.Object({ fontId: id('The id of the font.') }),
  reply: { status: 200, description: 'The font was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { fonts }) {
    await fonts.remove(caller.account.id, params.fontId)
    return { body: { deleted: true } }
  },
})
