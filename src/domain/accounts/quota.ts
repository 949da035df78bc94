import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { timestamp } from '../clock.ts'
import { type PlanName, planNames } from './plan.ts'

/** How the records of an account are counted: in the transaction of the record that is added. */
type Counted =
  /** Totals that triggers keep. `withReserved`: and the images that executions in progress are going to add. */
  | { totals: readonly string[]; withReserved?: true }
  /** Rows of a table with these values, or the sum of a column. `isValid`: keys that have not ended. */
  | { rows: string; where?: Record<string, readonly string[] | null>; sum?: string; isValid?: true }
  /** The executions of this month, which a trigger counts in the queue of the account. */
  | { month: 'executions' }

interface QuotaRow {
  /** The label of its use. */
  title: string
  /** The unit, after a number. */
  unit: string
  /** The advice for an account that has the maximum. */
  advice: string
  /** The maximum without a setting. Null: none. */
  max: number | null | Record<PlanName, number | null>
  /** The setting that replaces the maximum, for all plans or by plan. */
  setting?: { name: string; summary: string; min?: number; max?: number }
  counted: Counted
  /** Removes the least recently used records at the maximum, and refuses nothing. */
  evicts?: true
}

/**
 * The table of quotas: how much of each kind an account can have. It makes settings, checks, errors, `GET /usage`, the console and a page of the
 * documentation. A new quota needs its row here; the store that adds the records names it in `within` (storage/database/sql/quotas.ts).
 */
export const quotas = {
  storageBytes: {
    title: 'Storage',
    unit: 'bytes of images, rows of batches, long documents and long records of executions',
    advice: "Delete images that you don't need, and empty the bin.",
    max: { free: 0, starter: 10 * 2 ** 30, pro: 100 * 2 ** 30, enterprise: null },
    setting: {
      name: 'ACCOUNT_STORAGE_MAX_BYTES',
      summary:
        'Maximum bytes that an account stores: images, rows of batches, long documents and long records of executions. `tintype accounts storage` sets it for one account.',
    },
    counted: { totals: ['stored_bytes'] },
  },
  images: {
    title: 'Images',
    unit: 'images',
    advice: "Delete images that you don't need, empty the bin, or give new images a time with `expiresIn`.",
    max: null,
    setting: {
      name: 'IMAGES_MAX',
      summary: 'Maximum number of stored images of an account: uploads, outputs and images in the bin together.',
    },
    counted: { totals: ['images', 'binned_images'], withReserved: true },
  },
  executions: {
    title: 'Executions this month (UTC)',
    unit: 'executions in a calendar month (UTC)',
    advice: 'Wait for the next month, or ask the operator for another plan.',
    max: null,
    setting: {
      name: 'EXECUTIONS_PER_MONTH_MAX',
      summary:
        'Maximum number of executions that an account starts in a calendar month (UTC), with those of batches and delivery URLs.',
    },
    counted: { month: 'executions' },
  },
  workflows: {
    title: 'Workflows',
    unit: 'workflows',
    advice: "Delete workflows that you don't need.",
    max: limits.workflowsMax,
    setting: { name: 'WORKFLOWS_MAX', summary: 'Maximum number of saved workflows of an account.', max: 1_000_000 },
    counted: { totals: ['workflows'] },
  },
  drafts: {
    title: 'Drafts',
    unit: 'drafts',
    advice: "Delete drafts that you don't need.",
    max: limits.draftsMax,
    counted: { totals: ['drafts'] },
  },
  projects: {
    title: 'Projects',
    unit: 'projects',
    advice: 'Use an existing project, or delete one.',
    max: limits.projectsMax,
    setting: {
      name: 'PROJECTS_MAX',
      summary: 'Maximum number of projects of an account, with its default project.',
      min: 1,
      max: 100_000,
    },
    counted: { rows: 'projects', where: { deleted_at: null } },
  },
  fonts: {
    title: 'Fonts',
    unit: 'fonts',
    advice: "Delete fonts that you don't need.",
    max: limits.fontsMax,
    setting: {
      name: 'FONTS_MAX',
      summary: `Maximum number of fonts of an account, at most ${limits.fontsMax}.`,
      max: limits.fontsMax,
    },
    counted: { rows: 'fonts' },
  },
  keys: {
    title: 'API keys',
    unit: 'valid API keys',
    advice: "Revoke keys that you don't need.",
    max: limits.keysMax,
    counted: { rows: 'keys', isValid: true },
  },
  signingKeys: {
    title: 'Signing keys',
    unit: 'valid signing keys',
    advice: "Revoke keys that you don't need.",
    max: limits.signingKeysMax,
    counted: { rows: 'signing_keys', isValid: true },
  },
  webhookEndpoints: {
    title: 'Webhook endpoints',
    unit: 'webhook endpoints',
    advice: "Delete endpoints that you don't need.",
    max: limits.webhookEndpointsMax,
    counted: { rows: 'webhook_endpoints' },
  },
  batches: {
    title: 'Batches',
    unit: 'batches',
    advice: 'Delete batches that have ended.',
    max: limits.batchesMax,
    counted: { rows: 'batches', where: { deleted_at: null } },
  },
  batchesRunning: {
    title: 'Running batches',
    unit: 'running batches',
    advice: 'Wait until one has ended, or pause one.',
    max: limits.batchesRunningMax,
    counted: { rows: 'batches', where: { deleted_at: null, status: ['running'] } },
  },
  batchRows: {
    title: 'Rows of open batches',
    unit: 'rows in batches that have not ended',
    advice: 'Wait until a batch has ended, or delete one.',
    max: limits.batchOpenRowsMax,
    counted: { rows: 'batches', where: { deleted_at: null, status: ['created', 'running', 'paused'] }, sum: 'total' },
  },
  cacheBytes: {
    title: 'Step cache',
    unit: 'bytes of cached results',
    advice: 'The least recently used results are removed first.',
    max: limits.cacheBytesMax,
    setting: {
      name: 'CACHE_MAX_BYTES',
      summary:
        'Maximum bytes of the step cache of an account. The least recently used results are removed first. 0 disables the cache.',
    },
    counted: { totals: ['step_result_bytes'] },
    evicts: true,
  },
} satisfies Record<string, QuotaRow>

export type Quota = keyof typeof quotas

export const quotaNames = Object.keys(quotas) as Quota[]

export function quotaRow(quota: Quota): QuotaRow {
  return quotas[quota]
}

/** Bytes of a text from which it counts in `storageBytes`. The triggers in the migrations have the same number. */
export const countedTextBytesMin = 16_384

/** Maximum of the plans that a setting names. Null: none. */
export type MaximumByPlan = Partial<Record<PlanName, number | null>>

/** The settings of an installation. */
export type QuotaSettings = Partial<Record<Quota, MaximumByPlan>>

/** The maximum of an account on this plan. Null: none. */
export function maximumOf(quota: Quota, plan: PlanName, settings: QuotaSettings): number | null {
  const { max } = quotaRow(quota)
  const set = settings[quota]?.[plan]
  if (set !== undefined) return set
  return max === null || typeof max === 'number' ? max : max[plan]
}

/** The largest maximum of any plan. */
export function largestMaximum(quota: Quota, settings: QuotaSettings): number {
  return Math.max(...planNames.map((plan) => maximumOf(quota, plan, settings) ?? Number.POSITIVE_INFINITY))
}

export interface QuotaUse {
  quota: Quota
  used: number
  /** Null: none. */
  limit: number | null
}

/** The stored bytes, as the field `storage` of usage has them. */
export function storageOf(uses: readonly QuotaUse[]): { bytes: number; maxBytes: number | null } {
  const { used: bytes = 0, limit: maxBytes = null } = uses.find(({ quota }) => quota === 'storageBytes') ?? {}
  return { bytes, maxBytes }
}

export interface QuotaStore {
  /** How much of these quotas an account has used. Empty if it is missing. */
  read(accountId: string, quotas: readonly Quota[], now: number): Promise<QuotaUse[]>
  /** Throws `QuotaReached` if nothing can be added. The store of the record checks again, in its transaction. */
  require(accountId: string, quotas: readonly Quota[], now: number): Promise<void>
}

/** `2026-11`, when it begins, and when the next one does. */
export interface Month {
  month: string
  monthStart: number
  monthEnd: number
}

export function monthOf(ms: number): Month {
  const month = timestamp(ms).slice(0, 7)
  return { month, monthStart: Date.parse(`${month}-01`), monthEnd: Date.parse(monthEndsAt(ms)) }
}

/** When the next month begins. */
export function monthEndsAt(ms: number): string {
  const date = new Date(ms)
  return timestamp(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1))
}

/** Nothing was written: the record would exceed the quota. */
export class QuotaReached extends Fault {
  readonly quota: Quota

  /** `now`: of a quota that counts a month. */
  constructor(quota: Quota, { limit, used }: { limit: number; used: number }, now?: number) {
    const { unit, advice } = quotaRow(quota)
    const message = `The account can have at most ${limit} ${unit}, and has ${used}. ${advice}`
    const resetsAt = now === undefined ? {} : { resetsAt: monthEndsAt(now) }
    super('forbidden', message, { quota, limit, used, ...resetsAt })
    this.quota = quota
  }
}
