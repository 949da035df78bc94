/** Costs of model calls: the amount that a call reserves of the budgets, and its final cost. */
import type { Capability, Micros, ModelRequest } from '../../domain/models/model.ts'
import type { BeginResult, BudgetKind, Budgets, CallEnd, ProviderCall } from '../../domain/models/provider-call.ts'
import { computeCost, plausible, pricesOf, rangeOf, type Size } from '../catalog/prices.ts'
import type { TableModel } from '../catalog/table.ts'
import type { ProviderResult } from '../define.ts'
import type { ClassifiedError } from './classify-error.ts'
import type { Refusal } from './failures.ts'

/** The maximum cost of a call; undefined if a budget applies and no price is known. */
export function reserve({ row }: TableModel, request: ModelRequest, budgets: Budgets): Micros | undefined {
  const { capability, size, scale, images } = request
  const price = pricesOf(row)?.[capability]
  const traits = row.can[capability] ?? {}
  if (price) {
    const imageSize = sizeKeepers.has(capability) ? images[0] : undefined
    return rangeOf(price, { size, imageSize, scale, traits }).maxMicros
  }
  const { batch, ...others } = budgets
  return [...Object.values(others), batch?.micros].every((limit) => (limit ?? null) === null) ? 0 : undefined
}

/** Their output has the size of the input image, or a multiple of it. For other capabilities the model decides. */
const sizeKeepers: ReadonlySet<Capability> = new Set(['inpaint', 'remove-background', 'upscale'])

type Over = Extract<BeginResult, object> & { requestedMicros: Micros }

export function budgetRefusal(model: string, why: 'no price' | Over): Refusal {
  if (why === 'no price') return { model, kind: 'budget', message: noPrice, billed: 'no' }
  return { model, kind: 'budget', message: overBudget(why), billed: 'no', budget: why.over }
}

const noPrice = 'a budget applies, and the price of the model is unknown. The operator can set its price in MODELS_FILE'

function overBudget({ over, budgetMicros, spentMicros, requestedMicros }: Over): string {
  return `the call may cost ${dollars(requestedMicros)}, but ${dollars(spentMicros)} of the budget ${scopes[over]} (${dollars(budgetMicros)}) is spent or reserved`
}

const scopes: Record<BudgetKind, string> = {
  execution: 'per execution',
  batch: 'of the batch',
  account: 'of the account for this month',
  'signing key': 'of the signing key for this month',
  'key day': 'of the API key for this day',
  'key month': 'of the API key for this month',
}

function dollars(micros: Micros): string {
  return `$${(micros / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

export type Cost = Pick<CallEnd, 'costMicros' | 'costSource'>

/** Nothing was sent, or nothing is billed. */
const unbilled: Cost = { costMicros: 0, costSource: 'computed' }

/** The reserved amount; null if no price is known. */
export function assumedCost(row: ProviderCall, model: TableModel): Cost {
  if (!isPriced(model, row.capability)) return { costMicros: null, costSource: null }
  return { costMicros: row.reservedMicros, costSource: 'assumed' }
}

export function isPriced({ row }: TableModel, capability: Capability): boolean {
  return pricesOf(row)?.[capability] !== undefined
}

/** The cost of a result: as the provider reports it, else by the price table, else the reserved amount. */
export function costOf(row: ProviderCall, model: TableModel, result: ProviderResult, sizes: readonly Size[]): Cost {
  const { costMicros, used, images = [] } = result
  const reported = reportedCost(costMicros)
  if (reported) return reported
  const price = pricesOf(model.row)?.[row.capability]
  // The size of an image that can't be decoded is unknown.
  const isKnown = price?.per !== 'megapixel' || sizes.length === images.length
  const pricedSizes = price?.per === 'image' ? images.map(() => ({ width: 0, height: 0 })) : sizes
  const computed = price && isKnown ? computeCost(price, used, pricedSizes) : undefined
  return computed === undefined ? assumedCost(row, model) : { costMicros: computed, costSource: 'computed' }
}

/** The cost of a call that ended without a result. `resultCost`: if the provider returned one that is unusable. */
export function costOfFailure(
  row: ProviderCall,
  model: TableModel,
  { billed = 'no', costMicros }: ClassifiedError['facts'],
  resultCost?: Cost,
): Cost {
  return reportedCost(costMicros) ?? resultCost ?? (billed === 'no' ? unbilled : assumedCost(row, model))
}

function reportedCost(costMicros: Micros | undefined): Cost | undefined {
  const reported = plausible(costMicros)
  return reported === undefined ? undefined : { costMicros: Math.ceil(reported), costSource: 'reported' }
}
