import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { images, imagesRoute, notOpenAi } from './images.ts'
import { imagesFields } from './schema.ts'

export const generateOpenAiImages = defineRoute({
  ...imagesRoute,
  id: 'openai.generateImages',
  path: '/openai/v1/images/generations',
  summary: 'Create images with a workflow, as clients of OpenAI do',
  description: `Executes the workflow in \`model\`. Other fields of the API of OpenAI, such as \`quality\`, are rejected. ${notOpenAi}`,
  body: Type.Object(imagesFields, {
    ...closed,
    examples: [{ model: 'card@live', prompt: 'Hello from Tintype', size: '1024x1024' }],
  }),
  handle: (request, services) => images(request, undefined, services),
})
