import { defineRoute } from '../../define-route.ts'
import { brandEtag, projectBrandRecord } from './present.ts'
import { brandHeader, ProjectBrandRecord, ProjectParams } from './schema.ts'

export const getProjectBrand = defineRoute({
  id: 'brands.getOfProject',
  method: 'GET',
  path: '/projects/{projectId}/brand',
  summary: 'Get the brand values of a project',
  description: 'Its own values, and those of the account that apply to it as well.',
  tag: 'Brand',
  permission: ['workflows:read'],
  params: ProjectParams,
  reply: { status: 200, description: 'The values.', schema: ProjectBrandRecord, headers: brandHeader },
  errors: ['not_found'],
  async handle({ params: { projectId }, caller }, { brands }) {
    const brand = await brands.find({ accountId: caller.account.id, projectId })
    return { headers: { etag: brandEtag(brand) }, body: projectBrandRecord(brand) }
  },
})
