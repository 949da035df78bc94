/** Signing keys of an account. Keys of other accounts are not found. */
import { type Clock, timestamp } from '../../domain/clock.ts'
import {
  newSigningSecret,
  type SigningKey,
  type SigningKeySettings,
  type SigningKeyStore,
} from '../../domain/delivery/signing-key.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { Micros } from '../../domain/models/model.ts'
import type { ProviderCallStore } from '../../domain/models/provider-call.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { type Fault, type Issue, invalidRequest, notFound, undefinedIfMissing } from '../../errors.ts'
import type { VersionChooser } from '../workflows/version-chooser.ts'

export interface SigningKeys {
  list(accountId: string, page: PageRequest): Promise<CountedPage<SigningKey>>
  find(accountId: string, id: string): Promise<SigningKey>
  /** Spent and reserved in this calendar month. Undefined without a budget. */
  spentOf(key: SigningKey): Promise<Micros | undefined>
  /** The only method, with `rotate`, whose result may show the secret. With `once`: returns the key that the same request created before. */
  create(
    accountId: string,
    key: SigningKeyRequest & { expiresAt?: number | undefined },
    once?: IdempotentCreate,
  ): Promise<SigningKey>
  /** Replaces all settings. Signatures stay valid, except for workflows that are not listed now. */
  update(accountId: string, id: string, settings: SigningKeyRequest): Promise<SigningKey>
  /** URLs with the key are rejected from now on. A key that is not valid is left as it is. */
  revoke(accountId: string, id: string): Promise<SigningKey>
  /** A new key with the same settings, expiry and budget. The old key ends after `overlapSeconds`. */
  rotate(
    accountId: string,
    id: string,
    overlapSeconds: number,
    once?: IdempotentCreate,
  ): Promise<{ key: SigningKey; replaced: SigningKey }>
}

export interface SigningKeyRequest {
  name?: string | undefined
  /** Ids or slugs. Undefined: all workflows. */
  workflows?: string[] | undefined
  /** Default: true without `workflows`, otherwise false. */
  images?: boolean | undefined
  monthlyBudget?: Micros | undefined
}

interface Dependencies {
  signingKeys: SigningKeyStore
  calls: Pick<ProviderCallStore, 'spentOf'>
  versionChooser: Pick<VersionChooser, 'findWorkflow'>
  clock: Clock
}

const bounds = {}

export function createSigningKeys({ signingKeys, calls, versionChooser, clock }: Dependencies): SigningKeys {
  async function find(accountId: string, id: string): Promise<SigningKey> {
    const key = await signingKeys.find(accountId, id)
    if (key === undefined) throw notFound('signing key', id)
    return key
  }

  async function settingsOf(
    accountId: string,
    { name = '', workflows, images = workflows === undefined, monthlyBudget = 0 }: SigningKeyRequest,
  ): Promise<SigningKeySettings> {
    // A budget of 0 is none, so that the schema needs no null.
    const settings = { name, images, monthlyBudget: monthlyBudget === 0 ? null : monthlyBudget }
    return { ...settings, workflowIds: workflows === undefined ? null : await idsOf(accountId, workflows) }
  }

  async function idsOf(accountId: string, workflows: readonly string[]): Promise<string[]> {
    const ids = new Set<string>()
    const issues: Issue[] = []
    for (const [i, idOrSlug] of workflows.entries()) {
      const workflow = await versionChooser.findWorkflow(accountId, idOrSlug).catch(undefinedIfMissing)
      if (workflow) ids.add(workflow.id)
      else
        issues.push({
          path: `workflows.${i}`,
          message: `is ${JSON.stringify(idOrSlug)}, which is not a workflow of the account. Pass its id or slug.`,
        })
    }
    if (issues.length > 0) throw invalidRequest(issues)
    return [...ids]
  }

  return {
    list: (accountId, page) => signingKeys.list(accountId, page),
    find,

    async spentOf({ monthlyBudget, budgetId }) {
      if (monthlyBudget === null) return undefined
      const { spentMicros, reservedMicros } = await calls.spentOf(budgetId, timestamp(clock.now()).slice(0, 7))
      return spentMicros + reservedMicros
    },

    async create(accountId, { expiresAt, ...request }, once) {
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const settings = await settingsOf(accountId, request)
      const key = newSigningKey({ ...settings, accountId, expiresAt: expiresAt ?? null }, clock.now())
      await signingKeys.create(key, bounds, once?.record)
      return key
    },

    async update(accountId, id, request) {
      await find(accountId, id)
      await signingKeys.update(accountId, id, await settingsOf(accountId, request))
      return find(accountId, id)
    },

    async revoke(accountId, id) {
      await find(accountId, id)
      await signingKeys.revoke(accountId, id, clock.now())
      return find(accountId, id)
    },

    async rotate(accountId, id, overlapSeconds, once) {
      const old = await find(accountId, id)
      if (once?.createdId !== undefined) return { key: await find(accountId, once.createdId), replaced: old }
      const now = clock.now()
      const key = newSigningKey(old, now)
      if (!(await signingKeys.replace(id, now + overlapSeconds * 1_000, key, bounds, once?.record))) throw notLive()
      return { key, replaced: await find(accountId, id) }
    },
  }
}

function newSigningKey(
  settings: SigningKeySettings & Pick<SigningKey, 'accountId' | 'expiresAt'> & Partial<Pick<SigningKey, 'budgetId'>>,
  now: number,
): SigningKey {
  const id = newId('skey', now)
  const { accountId, name, workflowIds, images, monthlyBudget, expiresAt, budgetId = id } = settings
  return {
    id,
    accountId,
    name,
    workflowIds,
    images,
    monthlyBudget,
    expiresAt,
    budgetId,
    secret: newSigningSecret(),
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
  }
}

function notLive(): Fault {
  const message = 'is the id of a signing key that is revoked or expired. Create another key.'
  return invalidRequest([{ path: 'keyId', message }])
}
