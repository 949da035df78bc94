import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { invalidRequest } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { binDays } from '../bin/schema.ts'
import { imageFilterOf, imageFilterQuery } from './filter.ts'

export const DeletedImages = Type.Object(
  {
    deleted: Type.Boolean({ description: 'False for a dry run.' }),
    count: Type.Integer({
      description: 'Number of images that were deleted. With `dryRun`, number of matching images.',
    }),
    hasMore: Type.Boolean({ description: 'Whether matching images are left. Send the request again to delete them.' }),
  },
  named('DeletedImages'),
)

export const idsQuery = {
  ids: Type.Optional(
    Type.String({
      maxLength: limits.imageIdsMax * 40,
      description: `Ids of images, comma-separated, at most ${limits.imageIdsMax}. Unknown ids are skipped.`,
    }),
  ),
}

/** Whether a deleted image can be restored. */
export const binField = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: `Move to the bin, from which \`POST /storage/bin/restore\` restores within ${binDays} days. Default: false, which deletes for good.`,
  }),
)

export const deleteImages = defineRoute({
  id: 'images.deleteSome',
  method: 'DELETE',
  path: '/storage/images',
  summary: 'Delete images by ids or filter',
  description: `Deletes the matching images, the oldest first, at most ${limits.imagesDeletedMax} in one request. At least one filter is required, and an image is deleted if it matches all of them. Use \`dryRun=true\` to get their number first. Their URLs return 404 immediately, and executions of workflows that use them fail.`,
  tag: 'Storage',
  permission: ['storage:write'],
  query: Type.Object(
    {
      ...imageFilterQuery,
      ...idsQuery,
      bin: binField,
      dryRun: Type.Optional(
        Type.Enum(['true', 'false'], {
          description: 'Delete nothing and return the number of images. Default: false.',
        }),
      ),
    },
    closed,
  ),
  reply: { status: 200, description: 'The images were deleted, or counted.', schema: DeletedImages },
  async handle({ query: { dryRun, bin, ids, ...query }, caller }, { images }) {
    const filter = { ...imageFilterOf(query), ...(ids !== undefined && { ids: parseIds(ids) }) }
    if (Object.values(filter).every((value) => value === undefined))
      throw invalidRequest([{ path: '', message: 'must have at least one filter, such as `ids` or `createdBefore`' }])
    const accountId = caller.account.id
    if (dryRun === 'true')
      return { body: { deleted: false, count: await images.count(accountId, filter), hasMore: false } }
    return { body: { deleted: true, ...(await images.removeSome(accountId, filter, { toBin: bin === 'true' })) } }
  },
})

/** Throws `invalid_request` without ids, or with too many. */
export function parseIds(text: string): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))]
  if (ids.includes('') || ids.length > limits.imageIdsMax)
    throw invalidRequest([{ path: 'ids', message: `must be 1 to ${limits.imageIdsMax} ids, comma-separated` }])
  return ids
}
