import type { Writable } from 'node:stream'
import type { ProviderFacts } from '../domain/model.ts'
import type { Accounts } from '../services/accounts.ts'
import type { Activity } from '../services/activity.ts'
import type { CompareBounds, Comparisons } from '../services/comparisons.ts'
import type { Executions } from '../services/executions.ts'
import type { Fonts } from '../services/fonts.ts'
import type { Images } from '../services/images.ts'
import type { Keys } from '../services/keys.ts'
import type { Usage } from '../services/usage.ts'
import type { Workflows } from '../services/workflows.ts'

/** What commands on accounts and keys work with. */
export interface CliRecords {
  accounts: Accounts
  keys: Keys
  usage: Usage
  activity: Pick<Activity, 'of'>
  close(): Promise<void>
}

/** What there is of AI providers, for whoever runs the service. */
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

/** What commands work with: the services themselves, on the data directory, also beside a running service. */
export interface CliServices {
  accounts: Accounts
  services: {
    workflows: Workflows
    comparisons: Comparisons
    executions: Executions
    images: Images
    fonts: Fonts
    keys: Keys
  }
  /** Whether no other process executes workflows on this data directory. Held until `close`. */
  lock(): boolean
  startWorker(): Promise<{ stop(graceSeconds: number): Promise<void> }>
  close(): Promise<void>
}

/** What runs workflow files without a service: no records, and nothing is fetched. */
export interface CliOffline extends Pick<CompareBounds, 'renderings' | 'compare' | 'pixels' | 'secondsEach'> {
  /** The same pixels in a file that keeps them; an animation as WebP. */
  lossless(bytes: Buffer, format: 'png' | 'webp'): Promise<{ bytes: Buffer; format: 'png' | 'webp' }>
  close(): Promise<void>
}

/** What commands on local models work with; where they are is not told here. */
export interface CliModels {
  list(): ModelRow[]
  /** What is asked before it is added; undefined where nothing needs to be. */
  question(name: string): string | undefined
  add(name: string): Promise<ModelRow>
  remove(name: string): Promise<ModelRow>
  close(): Promise<void>
}

export interface ModelRow {
  name: string
  /** The id of the operation that uses it. */
  operation: string
  installed: boolean
  licence: string
  size: string
  package: string
  summary: string
}

/** What moves everything at once, in and out. */
export interface CliMoving {
  exportTo(out: Writable, compression: Compression, onProgress: OnProgress): Promise<Exported>
  importFrom(source: AsyncIterable<Uint8Array>, onProgress: OnProgress): Promise<ArchiveTotals>
  close(): Promise<void>
}

export type Compression = 'none' | 'gzip' | 'zstd'

export type OnProgress = (more: { rows?: number; blobs?: number; bytes?: number }) => void

export interface ArchiveTotals {
  /** By table. */
  rows: Record<string, number>
  blobs: number
  /** Of the blobs. */
  bytes: number
}

export interface Exported extends ArchiveTotals {
  /** Ids of what was deleted while the archive was written. */
  deletedMeanwhile: string[]
  /** Ids of records whose bytes are missing. */
  withoutBytes: string[]
}

/** Runs one command with what it opens, and prints what it gives: nothing where that is undefined. */
export type Act<Opened> = (work: (opened: Opened) => Promise<unknown>, options: { json?: boolean }) => Promise<void>
