/** The settings of the table of quotas. */
import { type PlanName, planNames, plans } from '../domain/accounts/plan.ts'
import {
  type MaximumByPlan,
  maximumOf,
  type Quota,
  type QuotaSettings,
  quotaNames,
  quotaRow,
  type quotas,
} from '../domain/accounts/quota.ts'
import { type Setting, setting } from './setting.ts'
import { quotaByPlan } from './setting-values.ts'

type Rows = typeof quotas
type SetQuota = { [Name in Quota]: Rows[Name] extends { setting: object } ? Name : never }[Quota]
type Settings = { [Name in SetQuota as `${Name}Quota`]: Setting<MaximumByPlan | undefined> }

export const quotaSettings = Object.fromEntries(
  quotaNames.flatMap((quota) => {
    const row = quotaRow(quota)
    if (row.setting === undefined) return []
    const { name, summary, min = 0, max = 1_000_000_000_000_000 } = row.setting
    const refusal = row.evicts ? '' : ' At the maximum, requests that add more get 403 `forbidden`.'
    const text = `${summary}${refusal} Plans that it does not name keep their default.`
    return [[`${quota}Quota`, setting(name, text, undefined, quotaByPlan(min, max), defaultText(quota))]]
  }),
) as unknown as Settings

/** The maxima that settings replace. */
export function quotasOf(values: { [Key in keyof Settings]: MaximumByPlan | undefined }): QuotaSettings {
  const entries = Object.entries(values as Record<string, MaximumByPlan | undefined>)
  return Object.fromEntries(
    entries.flatMap(([key, value]) =>
      key in quotaSettings && value !== undefined ? [[key.slice(0, -'Quota'.length), value]] : [],
    ),
  )
}

function defaultText(quota: Quota): string {
  const { max } = quotaRow(quota)
  if (max === null) return 'none'
  if (typeof max === 'number') return String(max)
  const textOf = (plan: PlanName) => {
    const bytes = maximumOf(quota, plan, {})
    return `${plans[plan].title} ${bytes === null ? 'no maximum' : `${bytes / 2 ** 30} GiB`}`
  }
  return planNames
    .filter((plan) => plans[plan].apiAccess)
    .map(textOf)
    .join(', ')
}
