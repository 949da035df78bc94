import Type from 'typebox'
import { grants } from '../../../domain/accounts/key.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { expiryInDays, id } from '../schema.ts'
import { keyRecord, noStore, secretFields, settingsOf } from './present.ts'
import { NewKeyRecord, settingFields } from './schema.ts'

export const createKey = defineRoute({
  id: 'keys.create',
  method: 'POST',
  path: '/keys',
  summary: 'Create an API key',
  description: `The response is the only one with the full key. An account can have at most ${limits.keysMax} valid keys. A key cannot expire later than the key that creates it. A key with a budget can't create keys. With \`workflowId\`, it creates a run link: a key without permissions that can only run this workflow, for people without an account.`,
  tag: 'Keys',
  permission: ['all'],
  showsSecret: true,
  body: Type.Object(
    {
      ...settingFields,
      permissions: Type.Optional(
        Type.Array(Type.Enum(grants), {
          minItems: 1,
          maxItems: grants.length,
          description: 'Default: `all`. Duplicates are removed. Not together with `workflowId`.',
        }),
      ),
      expiresInDays: expiryInDays(
        `Days (24 hours each) until the key expires. Default: never, and ${limits.runLinkDaysDefault} for a run link.`,
      ),
      test: Type.Optional(
        Type.Boolean({
          description:
            'Create a test key, `tt_test_...`, whose executions are free and call no AI provider. Default: false.',
        }),
      ),
      workflowId: Type.Optional(
        id(
          'Create a run link for the workflow with this id or slug. It runs the newest version. Default: an ordinary key.',
        ),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The key was created.',
    schema: NewKeyRecord,
    headers: { Location: 'URL of the key.' },
  },
  errors: ['not_found'],
  async handle({ body, caller, once }, services) {
    const { accountKeys, baseUrl } = services
    const { permissions, expiresInDays, test: isTest = false, workflowId } = body
    const about = {
      ...settingsOf(body),
      isTest,
      workflowId,
      ...(permissions && { permissions }),
      ...(expiresInDays && { expiresInDays }),
    }
    const { key, text } = await accountKeys.create(caller, about, once)
    const headers = { location: `${baseUrl()}/keys/${key.id}`, ...noStore }
    return {
      status: 201,
      headers,
      body: { ...(await keyRecord(key, caller, accountKeys)), ...secretFields(key, text, services) },
    }
  },
})
