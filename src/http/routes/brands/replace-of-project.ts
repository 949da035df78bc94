import { defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { brandEtag, projectBrandRecord } from './present.ts'
import { BrandBody, brandHeader, ProjectBrandRecord, ProjectParams } from './schema.ts'

export const replaceProjectBrand = defineRoute({
  id: 'brands.replaceOfProject',
  method: 'PUT',
  path: '/projects/{projectId}/brand',
  summary: 'Replace the brand values of a project',
  description:
    'For workflows of the project, a value replaces the value of the account with the same name. With `If-Match`, the request is rejected if the brand of the project was saved in the meantime.',
  tag: 'Brand',
  permission: ['workflows:write'],
  params: ProjectParams,
  requestHeaders: ifMatchHeader('brand'),
  body: BrandBody,
  reply: { status: 200, description: 'The values were saved.', schema: ProjectBrandRecord, headers: brandHeader },
  errors: ['not_found', 'precondition_failed'],
  async handle({ params: { projectId }, body, caller, headers }, { brands }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'brand')
    const brand = await brands.replace({ accountId: caller.account.id, projectId }, body.values, { ifRevision })
    return { headers: { etag: brandEtag(brand) }, body: projectBrandRecord(brand) }
  },
})
