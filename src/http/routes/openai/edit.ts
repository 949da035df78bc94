import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { images, imagesRoute, notOpenAi } from './images.ts'
import { imagesFields } from './schema.ts'

export const editOpenAiImages = defineRoute({
  ...imagesRoute,
  id: 'openai.editImages',
  path: '/openai/v1/images/edits',
  summary: 'Edit an image with a workflow, as clients of OpenAI do',
  description: `Executes the workflow in \`model\` with the file in \`image\`, or in \`image[]\`. One image is accepted, and no \`mask\`. ${notOpenAi}`,
  upload: ['image', 'image[]'],
  body: Type.Object(imagesFields, closed),
  handle: (request, services) => images(request, request.file, services),
})
