/** Checks and completes the settings of API keys that are run links: they can only run one workflow. */
import {
  type ChangedSettings,
  type Grant,
  isLive,
  type Key,
  type KeySettings,
  noRunLink,
} from '../../domain/accounts/key.ts'
import type { ImageStore } from '../../domain/images/image.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { VersionChooser } from '../workflows/version-chooser.ts'

export interface NewRunLink {
  /** The id or the slug of the workflow that it runs. Undefined: an ordinary key. */
  workflowId?: string | undefined
}

interface NewKeySettings extends NewRunLink, Partial<KeySettings> {
  permissions?: Grant[]
  /** A test key. Default: a live key. */
  isTest?: boolean
}

export interface RunLinkChecks {
  /** The fields of a new key. Throws `not_found` for an unknown workflow or image, and `invalid_request` for fields that don't fit together. */
  create(accountId: string, key: NewKeySettings): Promise<CheckedKey>
  /**
   * All settings of the key after a change: those that the change omits get their defaults, except the expiry. Throws `invalid_request` for the
   * settings of a run link on an ordinary key, an unknown image, and an expiry of a key that is not valid at `now`.
   */
  update(key: Key, change: KeyChange, now: number): Promise<ChangedSettings>
}

export type KeyChange = Partial<ChangedSettings>

export type CheckedKey = KeySettings & Pick<Key, 'workflowId'> & Pick<NewKeySettings, 'permissions' | 'isTest'>

interface Dependencies {
  versionChooser: Pick<VersionChooser, 'findWorkflow'>
  images: Pick<ImageStore, 'find'>
}

export function createRunLinkChecks({ versionChooser, images }: Dependencies): RunLinkChecks {
  async function requireImage(accountId: string, exampleImageId: string | null): Promise<void> {
    if (exampleImageId === null || (await images.find(accountId, exampleImageId)) !== undefined) return
    const message = `is "${exampleImageId}", which was not found in storage. Use the id of an image of the account.`
    throw invalidRequest([{ path: 'exampleImageId', message }])
  }

  return {
    async create(accountId, { workflowId, permissions, isTest = false, ...given }) {
      if (workflowId === undefined) {
        const settings = ordinarySettings(given, 'Set "workflowId" too, or remove it.')
        return { ...settings, ...noRunLink, isTest, ...(permissions && { permissions }) }
      }
      if (permissions !== undefined) {
        const message =
          'can\'t be used together with "workflowId": the key of a run link has no permissions. Remove it.'
        throw invalidRequest([{ path: 'permissions', message }])
      }
      if (isTest) {
        const message =
          'can\'t be used together with "workflowId": the people with a run link want real images. Remove it.'
        throw invalidRequest([{ path: 'test', message }])
      }
      const workflow = await versionChooser.findWorkflow(accountId, workflowId)
      const settings = linkSettings(given)
      await requireImage(accountId, settings.exampleImageId)
      return { ...settings, workflowId: workflow.id, permissions: [] }
    },

    async update(key, { expiresAt, ...given }, now) {
      if (key.workflowId === null)
        return ordinarySettings({ ...given, expiresAt }, 'Remove it: the key is not a run link.')
      if (expiresAt !== undefined && !isLive(key, now)) {
        const message = 'must be omitted: the run link is revoked or expired. Create another one.'
        throw invalidRequest([{ path: 'expiresInDays', message }])
      }
      const settings = linkSettings(given)
      // The image that it has can be deleted.
      if (settings.exampleImageId !== key.exampleImageId) await requireImage(key.accountId, settings.exampleImageId)
      return { ...settings, expiresAt }
    },
  }
}

/** Throws `invalid_request` for the settings of a run link. `advice`: the last sentence of its issues. */
function ordinarySettings(
  { name = '', dailyBudget = null, monthlyBudget = null, ...links }: KeyChange,
  advice: string,
) {
  const given = [
    ...((links.exampleImageId ?? null) === null ? [] : ['exampleImageId']),
    ...((links.executionsPerMinute ?? null) === null ? [] : ['executionsPerMinute']),
    ...(links.expiresAt === undefined ? [] : ['expiresInDays']),
  ]
  if (given.length > 0)
    throw invalidRequest(given.map((path) => ({ path, message: `is a setting of run links. ${advice}` })))
  return { name, dailyBudget, monthlyBudget, executionsPerMinute: null, exampleImageId: null }
}

/** Anyone with the link can run it, so a budget is not optional: without one, it runs only what costs nothing. */
function linkSettings(given: Partial<KeySettings>): KeySettings {
  const { name = '', dailyBudget = null, monthlyBudget = null } = given
  return {
    name,
    dailyBudget: dailyBudget === null && monthlyBudget === null ? 0 : dailyBudget,
    monthlyBudget,
    executionsPerMinute: given.executionsPerMinute ?? limits.runLinkExecutionsPerMinuteDefault,
    exampleImageId: given.exampleImageId ?? null,
  }
}

/** When a key ends for which the request has no time. */
export function defaultExpiry({ workflowId = null }: Partial<Pick<Key, 'workflowId'>>, now: number): number | null {
  return workflowId === null ? null : now + limits.runLinkDaysDefault * 86_400_000
}
