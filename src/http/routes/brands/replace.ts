import { defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { brandEtag, brandRecord } from './present.ts'
import { BrandBody, BrandRecord, brandHeader } from './schema.ts'

export const replaceBrand = defineRoute({
  id: 'brands.replace',
  method: 'PUT',
  path: '/brand',
  summary: 'Replace the brand values of the account',
  description:
    'Templates of all workflows read the values, as in `{{ brand.primary }}`. New executions use them; executions that were accepted before keep their values. With `If-Match`, the request is rejected if the brand was saved in the meantime.',
  tag: 'Brand',
  permission: ['workflows:write'],
  requestHeaders: ifMatchHeader('brand'),
  body: BrandBody,
  reply: { status: 200, description: 'The values were saved.', schema: BrandRecord, headers: brandHeader },
  errors: ['precondition_failed'],
  async handle({ body, caller, headers }, { brands }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'brand')
    const brand = await brands.replace({ accountId: caller.account.id }, body.values, { ifRevision })
    return { headers: { etag: brandEtag(brand) }, body: brandRecord(brand) }
  },
})
