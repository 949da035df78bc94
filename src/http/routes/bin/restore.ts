import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'

export const restoreFromBin = defineRoute({
  id: 'bin.restore',
  method: 'POST',
  path: '/storage/bin/restore',
  summary: 'Restore images from the bin',
  description:
    'The images have their former ids, URLs and projects again, and the `expiresAt` that they had. Ids that are not in the bin are skipped.',
  tag: 'Storage',
  permission: ['storage:write'],
  body: Type.Object(
    {
      ids: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: limits.imageIdsMax,
        description: 'Ids of images in the bin.',
      }),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The images were restored.',
    schema: Type.Object(
      { ids: Type.Array(Type.String(), { description: 'Ids of the images that were restored.' }) },
      named('RestoredImages'),
    ),
  },
  async handle({ body, caller }, { bin }) {
    return { body: { ids: await bin.restore(caller.account.id, [...new Set(body.ids)]) } }
  },
})
