/** The first start creates an account on the enterprise plan with a key, and the example workflows with their images. */
import { chmodSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyWorkflow } from '../cli/apply.ts'
import type { CliServices } from '../cli/cli-services.ts'
import type { Account } from '../domain/account.ts'
import { Fault } from '../errors.ts'

const examples = fileURLToPath(new URL('../../examples/workflows', import.meta.url))
/** The workflow that the printed command executes. */
const shown = 'link-preview-card.yaml'
const firstName = 'First account'

export interface FirstStart {
  key: string
  /** The file with the key. If it is set, the key isn't printed. */
  keyFile?: string | undefined
  workflow: { id: string; parameters: Record<string, string> } | undefined
}

/** Repeated after a crash: the key is created last, so a start without a key has not shown one. */
export async function firstStart(
  { accounts, services, checkBlobs }: CliServices & { checkBlobs(): Promise<void> },
  onLeftOut: (facts: { example: string; problem: string }) => void,
  keyFile?: string,
): Promise<FirstStart | undefined> {
  const account = await firstAccount({ accounts, services })
  if (account === undefined) return undefined
  await checkBlobs()
  // Creates the key only if its file can be written.
  if (keyFile !== undefined) writePrivately(keyFile, '')
  const files = (await readdir(examples)).filter((file) => file.endsWith('.yaml')).sort()
  const ids = new Map<string, string>()
  await Promise.all(
    files.map(async (file) => {
      try {
        ids.set(file, (await applyWorkflow(join(examples, file), account.id, services)).id)
      } catch (error) {
        // If a low limit rejects an example image, the service starts without that example.
        if (!(error instanceof Fault)) throw error
        onLeftOut({ example: file, problem: error.message })
      }
    }),
  )
  const { text } = await services.keys.create(account.id, { name: 'First key' })
  if (keyFile !== undefined) writePrivately(keyFile, `${text}\n`)
  const id = ids.get(shown)
  return {
    key: text,
    keyFile,
    workflow: id === undefined ? undefined : { id, parameters: { headline: 'Hello from Tintype' } },
  }
}

function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
  chmodSync(file, 0o600)
}

async function firstAccount({
  accounts,
  services,
}: Pick<CliServices, 'accounts' | 'services'>): Promise<Account | undefined> {
  const [first, second] = await accounts.list()
  if (first === undefined) return accounts.create({ name: firstName, plan: 'enterprise' })
  const unfinished = second === undefined && first.name === firstName && (await services.keys.list()).length === 0
  return unfinished ? first : undefined
}
