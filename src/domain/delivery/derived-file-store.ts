/** Look-ups of delivery URLs, and the files that they have. */

import type { Account } from '../accounts/account.ts'
import type { ExecutionStatus } from '../executions/execution.ts'
import type { Image } from '../images/image.ts'
import type { DerivedFile, DerivedImage } from './derived-file.ts'
import type { SigningKey } from './signing-key.ts'

/** A URL that executes a workflow. At most one of `version` and `channel`; without one, the newest version. */
export interface WorkflowUrl {
  keyId: string
  /** A slug or an id. */
  workflow: string
  version?: number | undefined
  channel?: string | undefined
  /** `variantHash` of the parameters and the format. */
  variant: string
}

/** A URL of a size or a format of an image. */
export interface ImageUrl {
  /** A signing key, or the account of a URL that the service has signed itself. */
  keyId: string
  imageId: string
  variant: string
}

/** The key of a URL, and the plan of its account. */
export interface UrlOwner extends Pick<Account, 'plan' | 'suspendedAt'> {
  key: Pick<
    SigningKey,
    | 'id'
    | 'accountId'
    | 'secret'
    | 'workflowIds'
    | 'images'
    | 'monthlyBudget'
    | 'expiresAt'
    | 'revokedAt'
    | 'lastUsedAt'
  >
}

export interface FoundWorkflow {
  id: string
  projectId: string
  version: number
  /** Whether its project is private. */
  isPrivate: boolean
}

export interface FoundWorkflowUrl extends UrlOwner {
  /** Undefined if the account has no such workflow, version or channel. */
  workflow?: FoundWorkflow | undefined
  /** The file, with the state of the execution that makes it. */
  file?: (DerivedFile & { execution: { status: ExecutionStatus; completedAt: number | null } | null }) | undefined
}

export interface FoundImageUrl extends UrlOwner {
  /** Undefined if the account has no such image. */
  image?: Image | undefined
  file?: DerivedFile | undefined
}

export interface DerivedFileStore {
  /** All that a response needs, with one look-up. Undefined if the key doesn't exist. */
  findWorkflowUrl(url: WorkflowUrl): Promise<FoundWorkflowUrl | undefined>
  findImageUrl(url: ImageUrl): Promise<FoundImageUrl | undefined>
  /**
   * Adds a file of an image. Returns the stored one: another process may have added it before. Undefined if the image was deleted in the
   * meantime.
   */
  add(file: DerivedFile & { image: DerivedImage }): Promise<DerivedFile | undefined>
  /** Notes that it was used. */
  touch(key: string, now: number): Promise<void>
  /** Removes a file whose bytes are missing, unless it was made again. */
  forget(imageId: string): Promise<void>
  /** The given ids of images that have a row. */
  existing(ids: readonly string[]): Promise<Set<string>>
}
