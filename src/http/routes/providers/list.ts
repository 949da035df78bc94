import { defineRoute } from '../../define-route.ts'
import { providerRecord } from './present.ts'
import { ProvidersReply } from './schema.ts'

export const listProviders = defineRoute({
  id: 'providers.list',
  method: 'GET',
  path: '/providers',
  summary: 'List AI providers and their models',
  description:
    'Includes providers that are not configured, with the settings that enable them. `local` runs models in the service, without a key. Prices are estimates: the bill of the provider may differ. With a test key, all of them are configured and cost nothing.',
  tag: 'AI models',
  permission: ['workflows:read'],
  reply: {
    status: 200,
    description: 'All providers, in the order in which a default model is chosen.',
    schema: ProvidersReply,
  },
  handle({ caller: { account } }, { providers }) {
    return {
      body: { providers: providers.list(account.id).map(providerRecord), defaults: providers.defaults(account.id) },
    }
  },
})
