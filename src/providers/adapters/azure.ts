/**
 * Azure OpenAI: the models of OpenAI under names that the operator chooses (deployments). Its package treats a deployment whose name
 * isn't `gpt-image-...` as an older model and requests a format that new models reject. So images use the plain OpenAI API.
 */
import { defineProvider, type ModelRow } from '../define.ts'
import { startBySdk } from './shared/ai-sdk.ts'
import { lookingModel, namesOf } from './shared/text-models.ts'

const sizes = { listed: ['1024x1024', '1536x1024', '1024x1536'] }

export const azure = defineProvider({
  id: 'azure',
  title: 'Azure OpenAI',
  summary: 'OpenAI models that are deployed in your Azure resource.',
  docsUrl: 'https://learn.microsoft.com/azure/ai-foundry/openai/',
  settings: {
    apiKey: {
      names: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
      summary: 'A key of the resource.',
      isSecret: true,
      isRequired: true,
    },
    resource: {
      names: ['AZURE_RESOURCE_NAME'],
      summary: 'The name of the resource. Not needed where `AZURE_BASE_URL` is set.',
      check(text) {
        // Becomes part of the host name.
        if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)) throw new Error('must be letters, digits and hyphens')
      },
    },
    imageDeployments: {
      names: ['AZURE_IMAGE_DEPLOYMENTS'],
      summary: 'Names of deployments of GPT Image, with commas.',
    },
    textDeployments: {
      names: ['AZURE_TEXT_DEPLOYMENTS'],
      summary: 'Names of deployments of GPT that sees and writes, with commas.',
    },
  },
  baseUrl: { names: ['AZURE_BASE_URL'], default: 'https://{resource}.openai.azure.com/openai/v1' },
  models: async ({ imageDeployments, textDeployments }) => [
    ...namesOf(imageDeployments).map(imageRow),
    ...namesOf(textDeployments).map((name): ModelRow => ({ name, can: lookingModel() })),
  ],
  concurrency: 4,

  start: (call, context) => {
    const { apiKey = '' } = context.settings
    return startBySdk(call, context, {
      title: 'Azure OpenAI',
      secrets: [apiKey],
      imageModel: async (name, settings) =>
        (await import('@ai-sdk/openai-compatible'))
          .createOpenAICompatible({ ...settings, name: 'azure', headers: { 'api-key': apiKey } })
          .imageModel(name),
      textModel: async (name, settings) =>
        (await import('@ai-sdk/azure')).createAzure({ ...settings, apiKey }).chat(name),
      passes: { size: true, transparency: true },
      mask: 'transparent',
      options: ({ request, model }, tokensMax) => ({
        azure: request.transparency ? { background: 'transparent', output_format: 'png' } : {},
        // For text, the package reads options under this name only.
        openai: {
          ...(tokensMax > 0 && { maxCompletionTokens: tokensMax }),
          ...(typeof model['x-reasoning'] === 'string' && { reasoningEffort: model['x-reasoning'] }),
        },
      }),
      boundsTokens: true,
      callIdHeader: 'x-ms-client-request-id',
    })
  },
})

function imageRow(name: string): ModelRow {
  return {
    name,
    can: {
      generate: { sizes, transparency: true },
      edit: { sizes, transparency: true, imagesMax: 16 },
      inpaint: { sizes, transparency: true },
    },
  }
}
