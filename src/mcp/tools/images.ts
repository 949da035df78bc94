/** Tools for stored images. */
import Type from 'typebox'
import { mayUse } from '../../domain/accounts/key.ts'
import { Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { callKey } from '../executions.ts'
import { defineTool, reads } from '../tool.ts'

const pageSize = 25

interface ImageBody {
  id: string
  url: string
  thumbnailUrl?: string
}

/** The signed URL is long, and an agent doesn't need it. */
function withoutThumbnail({ thumbnailUrl: _, ...image }: ImageBody): object {
  return image
}

export const uploadImage = defineTool({
  name: 'upload_image',
  title: 'Upload an image',
  description:
    'Stores an image from a public URL, or from base64, and returns its id for the image parameters of workflows. An image parameter also accepts a URL itself: upload only what has to be kept.',
  needs: ['storage:write'],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: Type.Object(
    {
      url: Type.Optional(
        Type.String({ maxLength: 4_096, pattern: '^https?://', description: 'A public http or https URL.' }),
      ),
      base64: Type.Optional(Type.String({ description: 'The bytes of a file of at most 700 KB. Prefer a URL.' })),
      name: Type.String({ default: 'image', minLength: 1, maxLength: 255, description: 'File name.' }),
    },
    { additionalProperties: false },
  ),
  async run({ url, base64, name }, { api, caller, services, signal }) {
    if ((url === undefined) === (base64 === undefined))
      throw invalidRequest([{ path: 'url', message: 'or `base64` is required, not both' }])
    // The upload checks it too, but after the download.
    if (!mayUse(caller.key.permissions, ['storage:write']))
      throw new Fault('forbidden', 'The API key lacks the permission "storage:write". Use a key that has it.')
    const bytes =
      base64 === undefined ? await services.openSource(caller.account.id, url ?? '', signal) : decoded(base64)
    const headers = callKey(caller.key.id, 'upload_image', url ?? base64, name)
    const image = await api.upload<ImageBody>(bytes, { name }, headers)
    return { say: 'Stored. Pass the id to an image parameter.', data: withoutThumbnail(image) }
  },
})

function decoded(base64: string): Buffer {
  const [, text = ''] = /^(?:data:[^,]*;base64,)?([A-Za-z0-9+/_=\s-]*)$/.exec(base64) ?? []
  if (text === '') throw invalidRequest([{ path: 'base64', message: 'must be base64' }])
  return Buffer.from(text, 'base64')
}

export const listImages = defineTool({
  name: 'list_images',
  title: 'List images',
  description: `Lists stored images, newest first, ${pageSize} at a time: uploads and outputs of executions.`,
  needs: ['storage:read'],
  annotations: reads,
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the name.' })),
      source: Type.Optional(Type.Enum(['upload', 'execution'])),
      offset: Type.Integer({ minimum: 0, maximum: limits.pageOffsetMax, default: 0, description: 'Skip this many.' }),
    },
    { additionalProperties: false },
  ),
  async run({ search, source, offset }, { api }) {
    const query = { search, source, offset, limit: pageSize }
    const page = await api.json<{ images: ImageBody[]; hasMore: boolean }>('GET', '/storage/images', { query })
    const more = page.hasMore ? ` There are more: call again with offset ${offset + pageSize}.` : ''
    return {
      say: `Pass an id to an image parameter.${more}`,
      data: { ...page, images: page.images.map(withoutThumbnail) },
    }
  },
})
