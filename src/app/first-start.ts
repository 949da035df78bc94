/** The first start creates an account on the enterprise plan with a key, and the example workflows with their images. */
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError } from '../../client/src/errors.ts'
import { applyWorkflow } from '../cli/apply.ts'
import { replaceImagePaths } from '../cli/image-paths.ts'
import { openAccount } from '../cli/target.ts'
import { uploadFrom } from '../cli/upload-once.ts'
import { readWorkflow } from '../cli/workflow-files.ts'
import type { Account } from '../domain/accounts/account.ts'
import type { WorkflowDocument } from '../domain/workflows/workflow.ts'
import { Fault } from '../errors.ts'
import type { App } from './app.ts'
import checkedExamples from './checked-examples.json' with { type: 'json' }

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
  { accounts, services, checkBlobs, openApi }: Pick<App, 'accounts' | 'services' | 'checkBlobs' | 'openApi'>,
  onLeftOut: (facts: { example: string; problem: string }) => void,
  keyFile?: string,
): Promise<FirstStart | undefined> {
  const first = await firstAccount({ accounts, services })
  if (first === undefined) return undefined
  const { account, isNew } = first
  await checkBlobs()
  // Creates the key only if its file can be written.
  if (keyFile !== undefined) writePrivately(keyFile, '')
  const files = (await readdir(examples)).filter((file) => file.endsWith('.yaml')).sort()
  const ids = new Map<string, string>()
  let opening: ReturnType<typeof openApi> | undefined
  // Opened by the first example that isn't recorded.
  const apply = async (path: string) => {
    opening ??= openApi(account)
    return applyWorkflow(path, openAccount((await opening).client))
  }
  await Promise.all(
    files.map(async (file) => {
      try {
        const path = join(examples, file)
        const isChecked = isNew && isOfRelease(file, await readFile(path))
        const saved = isChecked ? createChecked(path, account.id, services) : apply(path)
        ids.set(file, (await saved).id)
      } catch (error) {
        // If a low limit rejects an example image, the service starts without that example.
        if (!(error instanceof Fault || error instanceof ApiError)) throw error
        onLeftOut({ example: file, problem: error.message })
      }
    }),
  )
  await (await opening)?.close()
  const { text } = await services.keys.create(account.id, { name: 'First key' })
  if (keyFile !== undefined) writePrivately(keyFile, `${text}\n`)
  const id = ids.get(shown)
  return {
    key: text,
    keyFile,
    workflow: id === undefined ? undefined : { id, parameters: { headline: 'Hello from Tintype' } },
  }
}

/**
 * Whether `npm run derive` has checked and recorded this file, so that it is valid with any settings. Examples that call models are
 * not recorded: their check depends on the settings.
 */
export function isOfRelease(file: string, bytes: Uint8Array): boolean {
  const hashes: Record<string, string> = checkedExamples
  return hashes[file] === createHash('sha256').update(bytes).digest('hex')
}

/** Skips the check, which takes most of the CPU time of a first start. */
async function createChecked(file: string, accountId: string, { workflows, images }: App['services']) {
  const { document, slug } = await readWorkflow(file)
  const store = async (bytes: Buffer, name: string) => (await images.storeOnce(accountId, bytes, name)).id
  await replaceImagePaths(document, uploadFrom(file, store))
  return workflows.createChecked(accountId, document as WorkflowDocument, slug)
}

function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
  chmodSync(file, 0o600)
}

async function firstAccount({
  accounts,
  services,
}: Pick<App, 'accounts' | 'services'>): Promise<{ account: Account; isNew: boolean } | undefined> {
  const [first, second] = await accounts.list()
  if (first === undefined)
    return { account: await accounts.create({ name: firstName, plan: 'enterprise' }), isNew: true }
  const isUnfinished = second === undefined && first.name === firstName && (await services.keys.list()).length === 0
  return isUnfinished ? { account: first, isNew: false } : undefined
}
