/** Checks and completes the settings of API keys that are run links: they can only run one workflow. */
import { type Grant, type Key, type KeySettings, noRunLink } from '../../domain/accounts/key.ts'
import type { ImageStore } from '../../domain/images/image.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { VersionChooser } from '../workflows/version-chooser.ts'

export interface NewRunLink {
  /** The id or the slug of the workflow that it runs. Undefined: an ordinary key. */
  workflowId?: string | undefined
  exampleImageId?: string | undefined
}

interface NewKeySettings extends NewRunLink, Partial<KeySettings> {
  permissions?: Grant[]
  /** A test key. Default: a live key. */
  isTest?: boolean
}

export interface RunLinkChecks {
  /** The fields of a new key. Throws `not_found` for an unknown workflow or image, and `invalid_request` for fields that don't fit together. */
  create(accountId: string, key: NewKeySettings): Promise<CheckedKey>
}

export type CheckedKey = KeySettings &
  Pick<Key, 'workflowId' | 'exampleImageId'> &
  Pick<NewKeySettings, 'permissions' | 'isTest'>

interface Dependencies {
  versionChooser: Pick<VersionChooser, 'findWorkflow'>
  images: Pick<ImageStore, 'find'>
}

export function createRunLinkChecks({ versionChooser, images }: Dependencies): RunLinkChecks {
  return {
    async create(accountId, { workflowId, exampleImageId, permissions, isTest = false, ...given }) {
      if (workflowId === undefined) {
        const issues = exampleImageId === undefined ? [] : [onlyOfLinks('exampleImageId')]
        const settings = ordinarySettings(given, issues)
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
      if (exampleImageId !== undefined && (await images.find(accountId, exampleImageId)) === undefined) {
        const message = `is "${exampleImageId}", which was not found in storage. Use the id of an image of the account.`
        throw invalidRequest([{ path: 'exampleImageId', message }])
      }
      const ofLink = { workflowId: workflow.id, exampleImageId: exampleImageId ?? null, permissions: [] }
      return { ...linkSettings(given), ...ofLink }
    },
  }
}

/** The settings of this key. Throws `invalid_request` for the settings of a run link on an ordinary key. */
export function checkedSettings({ workflowId }: Pick<Key, 'workflowId'>, settings: Partial<KeySettings>): KeySettings {
  return workflowId === null ? ordinarySettings(settings, []) : linkSettings(settings)
}

function ordinarySettings(given: Partial<KeySettings>, found: readonly Issue[]): KeySettings {
  const { name = '', dailyBudget = null, monthlyBudget = null, executionsPerMinute = null } = given
  const issues = executionsPerMinute === null ? found : [...found, onlyOfLinks('executionsPerMinute')]
  if (issues.length > 0) throw invalidRequest([...issues])
  return { name, dailyBudget, monthlyBudget, executionsPerMinute }
}

/** Anyone with the link can run it, so a budget is not optional: without one, it runs only what costs nothing. */
function linkSettings(given: Partial<KeySettings>): KeySettings {
  const { name = '', dailyBudget = null, monthlyBudget = null } = given
  return {
    name,
    dailyBudget: dailyBudget === null && monthlyBudget === null ? 0 : dailyBudget,
    monthlyBudget,
    executionsPerMinute: given.executionsPerMinute ?? limits.runLinkExecutionsPerMinuteDefault,
  }
}

/** When a key ends for which the request has no time. */
export function defaultExpiry({ workflowId = null }: Partial<Pick<Key, 'workflowId'>>, now: number): number | null {
  return workflowId === null ? null : now + limits.runLinkDaysDefault * 86_400_000
}

function onlyOfLinks(path: string): Issue {
  return { path, message: 'is a setting of run links. Set "workflowId" too, or remove it.' }
}
