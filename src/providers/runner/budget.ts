/** What a call sets aside of the budgets, and what stands in its way. */
import type { Capability, Micros, ModelRequest } from '../../domain/model.ts'
import type { Begun, Budgets } from '../../domain/provider-call.ts'
import { pricesOf, rangeOf } from '../prices.ts'
import type { TableModel } from '../registry/table.ts'
import type { Refusal } from './failures.ts'

/** The most that it may cost; undefined where a budget applies and no price is known. */
export function reserve({ row }: TableModel, request: ModelRequest, budgets: Budgets): Micros | undefined {
  const { capability, size, scale, images } = request
  const price = pricesOf(row)?.[capability]
  const traits = row.can[capability] ?? {}
  if (price) {
    const imageSize = sizeKeepers.has(capability) ? images[0] : undefined
    return rangeOf(price, { size, imageSize, scale, traits }).maxMicros
  }
  return budgets.executionMicros === null && budgets.accountMonthMicros === null ? 0 : undefined
}

/** What they make is as large as the image that they are given, or so many times as large. Of others the model decides. */
const sizeKeepers: ReadonlySet<Capability> = new Set(['inpaint', 'remove-background', 'upscale'])

type Over = Extract<Begun, object> & { wantedMicros: Micros }

export function budgetRefusal(model: string, why: 'no price' | Over): Refusal {
  return { model, kind: 'budget', message: why === 'no price' ? noPrice : overBudget(why), billed: 'no' }
}

const noPrice = 'a budget applies and no price of it is known; whoever runs the service can give it one in MODELS_FILE'

function overBudget({ over, budgetMicros, spentMicros, wantedMicros }: Over): string {
  const whose = over === 'execution' ? 'of an execution' : 'of the account for this month'
  return `it may cost ${dollars(wantedMicros)}, and of the budget ${whose}, ${dollars(budgetMicros)}, ${dollars(spentMicros)} is spent or set aside`
}

function dollars(micros: Micros): string {
  return `$${(micros / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}
