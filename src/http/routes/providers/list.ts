import { defineRoute } from '../../define-route.ts'
import { providerRecord } from './present.ts'
import { ProvidersReply } from './schema.ts'

export const listProviders = defineRoute({
  id: 'providers.list',
  method: 'GET',
  path: '/providers',
  summary: 'List the AI providers, which are configured, and what their models can do',
  description:
    'Also those that are not configured, with the settings of the service that would enable them. `local` runs models in the service itself, without a key. Prices are those of the service; what is billed is for the provider to say.',
  tag: 'AI models',
  permission: ['workflows:read'],
  reply: {
    status: 200,
    description: 'All providers, in the order in which a default is looked for.',
    schema: ProvidersReply,
  },
  handle(_request, { providers }) {
    return { body: { providers: providers.list().map(providerRecord), defaults: providers.defaults() } }
  },
})
