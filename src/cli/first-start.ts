/** With no account yet: one on the enterprise plan with a key, and the example workflows with their pictures. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyWorkflow } from './apply.ts'
import type { CliServices } from './cli-services.ts'

const examples = fileURLToPath(new URL('../../examples/workflows', import.meta.url))
/** The one that the printed command executes. */
const shown = 'link-preview-card.yaml'

export interface FirstStart {
  key: string
  workflow: { id: string; parameters: Record<string, string> } | undefined
}

export async function firstStart({ accounts, services }: CliServices): Promise<FirstStart | undefined> {
  if ((await accounts.list()).length > 0) return undefined
  const account = await accounts.create({ name: 'First account', plan: 'enterprise' })
  const files = (await readdir(examples)).filter((file) => file.endsWith('.yaml')).sort()
  const ids = new Map<string, string>()
  for (const file of files) ids.set(file, (await applyWorkflow(join(examples, file), account.id, services)).id)
  const { text } = await services.keys.create(account.id, { name: 'First key' })
  const id = ids.get(shown)
  return { key: text, workflow: id === undefined ? undefined : { id, parameters: { headline: 'Hello from Tintype' } } }
}
