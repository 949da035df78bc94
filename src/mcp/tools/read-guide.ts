/** The guide as a tool: many clients don't let the model read resources. */
import Type from 'typebox'
import { pageOf, pages } from '../resources.ts'
import { defineTool, reads } from '../tool.ts'

export const readGuide = defineTool({
  name: 'read_guide',
  title: 'Read the guide',
  description:
    'Returns a page about writing workflows. `authors`: the rules of workflow documents. Read it before you write or change one. `templates`: computed values, with all filters. The other pages are examples of documents.',
  needs: ['workflows:read'],
  annotations: reads,
  input: Type.Object({ page: Type.Enum(pages, { default: 'authors' }) }, { additionalProperties: false }),
  async run({ page }) {
    return { say: pageOf(page) }
  },
})
