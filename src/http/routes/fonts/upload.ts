import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { fontRecord } from './present.ts'
import { FontRecord, fontFamily } from './schema.ts'

export const uploadFont = defineRoute({
  id: 'fonts.upload',
  method: 'POST',
  path: '/fonts',
  summary: 'Upload a font',
  description:
    'TTF, OTF or WOFF2, told by its bytes; one file a weight and slant, or a variable one. Every character of it is drawn once before it is accepted. Texts call it by its family or its id.',
  tag: 'Fonts',
  permission: ['storage:write'],
  upload: true,
  body: Type.Object(
    {
      family: Type.Optional(
        Type.String({ ...fontFamily, description: 'What to call its family. Default: its own name.' }),
      ),
    },
    closed,
  ),
  reply: { status: 201, description: 'Stored.', schema: FontRecord },
  async handle({ body, file, caller, once }, { fonts }) {
    return { status: 201, body: fontRecord(await fonts.store(caller.account.id, file, { ...body, once })) }
  },
})
