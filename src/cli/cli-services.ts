import type { Writable } from 'node:stream'
import type { Tintype } from '../../client/src/client.ts'
import type { Account } from '../domain/accounts/account.ts'
import type { ProviderFacts } from '../domain/models/model.ts'
import type { AccountRemoval } from '../services/accounts/account-removal.ts'
import type { Accounts } from '../services/accounts/accounts.ts'
import type { Keys } from '../services/accounts/keys.ts'
import type { RunLinkChecks } from '../services/accounts/run-link-checks.ts'
import type { Verification, Verified } from '../services/credentials/verification.ts'
import type { SigningKeys } from '../services/delivery/signing-keys.ts'
import type { UrlSigner } from '../services/delivery/url-signer.ts'
import type { CompareBounds, Comparisons } from '../services/workflows/comparisons.ts'
import type { DryRuns } from '../services/workflows/dry-runs.ts'
import type { Workflows } from '../services/workflows/workflows.ts'

/** Services for commands on accounts and keys. */
export interface CliRecords {
  accounts: Accounts
  keys: Keys
  runLinks: RunLinkChecks
  signingKeys: SigningKeys
  close(): Promise<void>
}

/** A provider as the operator's command shows it. */
export interface CliProviders {
  list(): CliProvider[]
  close(): Promise<void>
}

export interface CliProvider extends Pick<ProviderFacts, 'id' | 'title' | 'models'> {
  configured: boolean
  /** Variables that would enable it. */
  missing: string[]
  problem: string | null
  capabilities: string[]
  baseUrl: string | null
}

/** Services for commands on a data directory, also while the service runs. */
export interface CliServices {
  accounts: Accounts
  accountRemoval: Pick<AccountRemoval, 'remove'>
  services: {
    workflows: Workflows
    comparisons: Comparisons
    keys: Keys
    urlSigner: UrlSigner
    verification: Verification
  }
  /** The API, as an account and without a network. */
  openApi(account: Account): Promise<{ client: Tintype; close(): Promise<void> }>
  /** True if no other process executes workflows on this data directory. The lock lasts until `close`. */
  lock(): boolean
  startWorker(): Promise<{ stop(graceSeconds: number): Promise<void> }>
  close(): Promise<void>
}

/** Runs workflow files without a service: no database, no network. */
export interface CliOffline extends Pick<CompareBounds, 'compare' | 'pixels' | 'secondsEach'> {
  dryRuns: DryRuns
  /** The same pixels in a file that keeps them; an animation as WebP. */
  lossless(bytes: Buffer, format: 'png' | 'webp'): Promise<{ bytes: Buffer; format: 'png' | 'webp' }>
  close(): Promise<void>
}

/** Verifies files, without records. */
export interface CliVerifier {
  verify(file: string): Promise<Verified>
  close(): Promise<void>
}

/** A connection of standard input and output to `/mcp` of a running service. */
export interface CliMcp {
  /** Resolves when standard input is closed. */
  run(): Promise<void>
  close(): Promise<void>
}

/** Services for commands on local models. */
export interface CliModels {
  list(): ModelRow[]
  /** A question to confirm before the installation; undefined if none is needed. */
  question(choice: ModelChoice): Promise<string | undefined>
  add(choice: ModelChoice): Promise<ModelRow>
  remove(name: string): Promise<ModelRow>
  close(): Promise<void>
}

/** A known model, or the path of a manifest. `file`: the path of its ONNX file. */
export type ModelChoice = ({ name: string } | { manifest: string }) & { file?: string | undefined }

export interface ModelRow {
  name: string
  /** The id of the operation that uses it. */
  operation: string
  installed: boolean
  licence: string
  /** Null if it isn't known before the installation. */
  size: string | null
  /** Package of a model from npm. */
  package: string | null
  /** File of a model with a manifest: a URL or a path. */
  file: string | null
  /** Hash of the package or the file, with its algorithm. */
  hash: string | null
  summary: string
}

/** Services for export and import. */
export interface CliMoving {
  exportTo(out: Writable, compression: Compression, onProgress: OnProgress): Promise<Exported>
  importFrom(source: AsyncIterable<Uint8Array>, onProgress: OnProgress): Promise<Imported>
  close(): Promise<void>
}

export type Compression = 'none' | 'gzip' | 'zstd'

export type OnProgress = (more: { rows?: number; blobs?: number; bytes?: number }) => void

export interface ArchiveTotals {
  /** Number of rows by table. */
  rows: Record<string, number>
  blobs: number
  /** Total bytes of the blobs. */
  bytes: number
}

export interface Imported extends ArchiveTotals {
  /** The accounts of the archive, by id. */
  accounts: Record<string, { name: string; images: number; workflows: number; keys: number }>
}

export interface Exported extends ArchiveTotals {
  /** Ids of records that were deleted during the export. */
  deletedMeanwhile: string[]
  /** Ids of records whose bytes are missing. */
  withoutBytes: string[]
}

/** Runs one command with the services that it opens, and prints its result, if any. */
export type Act<Opened> = (work: (opened: Opened) => Promise<unknown>, options: { json?: boolean }) => Promise<void>
