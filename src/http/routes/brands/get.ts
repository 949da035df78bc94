import { defineRoute } from '../../define-route.ts'
import { brandEtag, brandRecord } from './present.ts'
import { BrandRecord, brandHeader } from './schema.ts'

export const getBrand = defineRoute({
  id: 'brands.get',
  method: 'GET',
  path: '/brand',
  summary: 'Get the brand values of the account',
  tag: 'Brand',
  permission: ['workflows:read'],
  reply: { status: 200, description: 'The values.', schema: BrandRecord, headers: brandHeader },
  async handle({ caller }, { brands }) {
    const brand = await brands.find({ accountId: caller.account.id })
    return { headers: { etag: brandEtag(brand) }, body: brandRecord(brand) }
  },
})
