/** The price of a run in one number: of the forecast, and of earlier calls of the same nodes. */
import type { LiveExecution } from '../../api/execution-events.ts'
import type { Step, Validation } from '../../api/types.ts'
import { counted, dollars } from '../../ui/format.ts'

export interface Price {
  /** US dollars. */
  usd: number
  /** `about`: as earlier runs. `upTo`: the most that the forecast allows. `unknown`: a model without a price. */
  kind: 'exact' | 'about' | 'upTo' | 'unknown'
  /** The number of earlier runs that an `about` is the average of. */
  runs: number
}

export const free: Price = { usd: 0, kind: 'exact', runs: 0 }
export const unknown: Price = { usd: 0, kind: 'unknown', runs: 0 }

/** Node -> US dollars of its most recent paid steps, the newest first. */
export type StepCosts = ReadonlyMap<string, readonly number[]>

/** More of them say little about the next run. */
export const runsCounted = 5

export function stepCosts(runs: readonly LiveExecution[]): StepCosts {
  const costs = new Map<string, number[]>()
  for (const step of runs.flatMap(({ steps }) => steps)) {
    const usd = paidFor(step)
    if (usd === undefined || step.status !== 'completed') continue
    const known = costs.get(step.node) ?? []
    if (known.length < runsCounted) costs.set(step.node, [...known, usd])
  }
  return costs
}

/** US dollars of the model calls of a step; undefined if it called none, or at a price that is unknown. */
export function paidFor({ calls = [], servedFrom }: Step): number | undefined {
  if (calls.length === 0 || servedFrom !== undefined) return undefined
  const costs = calls.map(({ costUsd }) => costUsd)
  return costs.includes(null) ? undefined : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}

type PlannedCost = Pick<Validation['steps'][number], 'node' | 'cost'>

/** The price of planned steps. Earlier costs outside of the forecast are those of other settings, and don't count. */
export function priceOf(steps: readonly PlannedCost[], costs: StepCosts): Price {
  return sumOf(steps.map(({ node, cost }) => (cost === undefined ? free : stepPrice(cost, costs.get(node) ?? []))))
}

function stepPrice(cost: NonNullable<PlannedCost['cost']> | null, paid: readonly number[]): Price {
  if (cost !== null && cost.minUsd === cost.maxUsd) return { usd: cost.maxUsd, kind: 'exact', runs: 0 }
  const usual = paid.length === 0 ? undefined : paid.reduce((sum, usd) => sum + usd, 0) / paid.length
  const fits = usual !== undefined && (cost === null || (cost.minUsd <= usual && usual <= cost.maxUsd))
  if (fits) return { usd: usual, kind: 'about', runs: paid.length }
  return cost === null ? unknown : { usd: cost.maxUsd, kind: 'upTo', runs: 0 }
}

const kinds = ['exact', 'about', 'upTo', 'unknown'] as const

/** The sum is as certain as its least certain part. */
export function sumOf(prices: readonly Price[]): Price {
  const parts = prices.filter(({ usd, kind }) => usd > 0 || kind === 'unknown')
  const runs = parts.filter(({ kind }) => kind === 'about').map((price) => price.runs)
  return {
    usd: parts.reduce((sum, { usd }) => sum + usd, 0),
    kind: kinds[Math.max(0, ...parts.map(({ kind }) => kinds.indexOf(kind)))] ?? 'exact',
    runs: runs.length === 0 ? 0 : Math.min(...runs),
  }
}

export function times(count: number, price: Price): Price {
  return { ...price, usd: price.usd * count }
}

/** Whether a run can cost more than the limit. Null: there is none. `asksUnknown`: also if its price is not known. */
export function canExceed(limit: number | null, { usd, kind }: Price, asksUnknown: boolean): boolean {
  return limit !== null && ((asksUnknown && kind === 'unknown') || usd > limit)
}

/** `$0.04`, `about $0.03`, `up to $0.26` or `unknown cost`. Empty if it costs nothing. */
export function priceText({ usd, kind }: Price): string {
  if (kind === 'unknown') return usd === 0 ? 'unknown cost' : `${dollars(usd)} + unknown cost`
  if (usd === 0) return ''
  return { exact: '', about: 'about ', upTo: 'up to ' }[kind] + dollars(usd)
}

/** The price with its source: `about $0.03, as the last 5 runs`. */
export function priceWithSource(price: Price): string {
  const { kind, runs } = price
  if (kind !== 'about') return priceText(price)
  return `${priceText(price)}, as the last ${runs === 1 ? 'run' : counted(runs, 'run')}`
}
