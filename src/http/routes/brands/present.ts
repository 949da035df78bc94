/** Converts brands to response bodies. */
import type { Brand } from '../../../domain/accounts/brand.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { BrandState } from '../../../services/accounts/brands.ts'

export function brandRecord({ values, updatedAt }: Pick<Brand, 'values' | 'updatedAt'>) {
  return { values, ...(updatedAt === null ? {} : { updatedAt: timestamp(updatedAt) }) }
}

export function projectBrandRecord({ projectId, inherited, ...brand }: BrandState) {
  return { projectId: projectId ?? '', inherited, ...brandRecord(brand) }
}

export function brandEtag({ revision }: Brand): string {
  return `"${revision}"`
}
