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
    'Accepts TTF, OTF and WOFF2. The format is detected from the content. Upload one file for each weight and style, or one variable font. Every character is rendered once to validate the font. Workflows refer to a font by its family or id.',
  tag: 'Fonts',
  permission: ['storage:write'],
  liveOnly: true,
  upload: ['file'],
  body: Type.Object(
    {
      family: Type.Optional(
        Type.String({ ...fontFamily, description: 'Name of the font family. Default: the name in the file.' }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The font was stored.',
    schema: FontRecord,
    headers: { Location: 'URL of the font.' },
  },
  async handle({ body, file, caller, once, signal }, { fonts, baseUrl }) {
    const font = await fonts.store(caller.account.id, file, { ...body, once, signal })
    return { status: 201, headers: { location: `${baseUrl()}/fonts/${font.id}` }, body: fontRecord(font) }
  },
})
