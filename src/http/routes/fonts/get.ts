import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { fontRecord } from './present.ts'
import { FontRecord } from './schema.ts'

export const getFont = defineRoute({
  id: 'fonts.get',
  method: 'GET',
  path: '/fonts/{fontId}',
  summary: 'Get a font',
  tag: 'Fonts',
  permission: ['storage:read'],
  params: Type.Object({ fontId: id('The id of the font.') }),
  reply: { status: 200, description: 'The font.', schema: FontRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { fonts }) {
    return { body: fontRecord(await fonts.find(caller.account.id, params.fontId)) }
  },
})
