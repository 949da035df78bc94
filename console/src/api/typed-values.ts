/**
 * The values of the run form that someone typed in this tab, by workflow. They survive a reload, and are removed with the tab, when
 * the person signs out and when another account signs in.
 */
import type { ParameterValues } from './workflow-document.ts'

const prefix = 'tintype:values:'

interface Entry {
  accountId: string
  values: ParameterValues
}

/** Undefined if nothing was typed. */
export function readTyped(workflowId: string): ParameterValues | undefined {
  return entryOf(prefix + workflowId)?.values
}

export function storeTyped(workflowId: string, entry: Entry): void {
  try {
    sessionStorage.setItem(prefix + workflowId, JSON.stringify(entry))
  } catch {
    // It is full, or the browser blocks it. The open page still has the values.
  }
}

/** Removes the values of all other accounts; without an account, of all. */
export function forgetTyped(accountId?: string): void {
  for (const name of Object.keys(sessionStorage)) {
    if (!name.startsWith(prefix)) continue
    if (accountId === undefined || entryOf(name)?.accountId !== accountId) sessionStorage.removeItem(name)
  }
}

function entryOf(name: string): Entry | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
