import Type from 'typebox'
import { timestamp } from '../../../domain/clock.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { RunLinkUpload } from './schema.ts'

export const uploadRunLinkImage = defineRoute({
  id: 'runLink.upload',
  method: 'POST',
  path: '/run-link/images',
  summary: 'Upload an image for a run link',
  description: `An image for a parameter, of at most ${limits.runLinkUploadBytesMax} bytes. It is removed after ${limits.runLinkUploadSeconds} seconds. A link accepts ${limits.runLinkUploadsPerMinuteMax} images per minute and ${limits.runLinkUploadsPerDayMax} in 24 hours.`,
  tag: 'Run links',
  permission: 'run-link',
  // Before the file is read.
  rate: { name: 'uploads', perMinute: limits.runLinkUploadsPerMinuteMax },
  upload: ['file'],
  body: Type.Object({}, closed),
  reply: { status: 201, description: 'The image was stored.', schema: RunLinkUpload },
  async handle({ file, caller, once, signal }, { runLinks }) {
    const { id, expiresAt } = await runLinks.upload(caller, file, { once, signal })
    return { status: 201, body: { imageId: id, expiresAt: timestamp(expiresAt ?? 0) } }
  },
})
