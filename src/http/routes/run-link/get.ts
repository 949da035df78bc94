import { defineRoute } from '../../define-route.ts'
import { runLinkPage } from './present.ts'
import { RunLinkPage } from './schema.ts'

export const getRunLink = defineRoute({
  id: 'runLink.get',
  method: 'GET',
  path: '/run-link',
  summary: 'Get the page of a run link',
  description:
    'The form of the workflow that the key runs: its name, description, parameters and example values, without its nodes.',
  tag: 'Run links',
  permission: 'run-link',
  reply: { status: 200, description: 'The page.', schema: RunLinkPage },
  errors: ['not_found'],
  async handle({ caller }, { runLinks, images }) {
    return { body: runLinkPage(await runLinks.page(caller), caller.key, images.urlsOf(caller.account)) }
  },
})
