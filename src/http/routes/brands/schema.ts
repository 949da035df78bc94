/** Schemas of brand values. */
import Type from 'typebox'
import { BrandValue, BrandValuesField } from '../../../domain/accounts/brand.ts'
import { named } from '../../../domain/named-schema.ts'
import { closed } from '../../define-route.ts'
import { id, Timestamp } from '../schema.ts'

const UpdatedAt = Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Absent if it was never saved.' }))

const exampleValues = {
  primary: { type: 'color', value: '#0f766e' },
  heading: { type: 'font', value: 'Inter' },
  logo: { type: 'image', value: 'img_06h15xnfhw00snp469yjg5mdfjbs' },
  slogan: { type: 'text', value: 'Fresh every day' },
} as const

export const BrandRecord = Type.Object(
  { values: Type.Record(Type.String(), BrandValue, { description: 'The values by name.' }), updatedAt: UpdatedAt },
  { ...named('Brand'), examples: [{ values: exampleValues, updatedAt: '2026-11-25T13:48:06.118Z' }] },
)

export const ProjectBrandRecord = Type.Object(
  {
    projectId: Type.String(),
    values: Type.Record(Type.String(), BrandValue, { description: 'The values of the project by name.' }),
    inherited: Type.Record(Type.String(), BrandValue, {
      description: 'The values of the account that the project does not replace.',
    }),
    updatedAt: UpdatedAt,
  },
  named('ProjectBrand'),
)

export const BrandBody = Type.Object({ values: BrandValuesField }, closed)

export const ProjectParams = Type.Object({ projectId: id('The id of the project.') })

export const brandHeader = { ETag: 'Revision, for `If-Match`.' }
