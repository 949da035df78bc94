import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { modelRecord } from './present.ts'
import { OpenAiModelList } from './schema.ts'

export const listOpenAiModels = defineRoute({
  id: 'openai.listModels',
  method: 'GET',
  path: '/openai/v1/models',
  root: 'only',
  summary: 'List the workflows that clients of OpenAI can use',
  description: `The workflows whose newest version has \`openai\`, the newest workflows first, each with its channels. At most ${limits.openAiModelsMax}, of the newest ${limits.openAiModelsSearchedMax} workflows. Others can still be used by their slug.`,
  tag: 'OpenAI-compatible API',
  permission: ['workflows:read', 'workflows:execute'],
  reply: { status: 200, description: 'The models.', schema: OpenAiModelList },
  async handle({ caller, signal }, { openAiModels }) {
    const models = await openAiModels.list(caller.account.id, signal)
    return { body: { object: 'list', data: models.map(modelRecord) } }
  },
})
