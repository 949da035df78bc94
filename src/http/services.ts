/** Services and settings that route handlers use. */

import type { RateCounter } from '../domain/accounts/rate.ts'
import type { Clock } from '../domain/clock.ts'
import type { Catalogue } from '../operations/define.ts'
import type { AccountKeys } from '../services/account-keys.ts'
import type { Activity } from '../services/activity.ts'
import type { Batches } from '../services/batches/batches.ts'
import type { EstimateBatch } from '../services/batches/estimate.ts'
import type { BatchEvents } from '../services/batches/events.ts'
import type { BatchItems } from '../services/batches/items.ts'
import type { BatchResults } from '../services/batches/results.ts'
import type { BatchUploads } from '../services/batches/uploads.ts'
import type { Brands } from '../services/brands.ts'
import type { Channels } from '../services/channels.ts'
import type { Comparisons } from '../services/comparisons.ts'
import type { Deliveries } from '../services/delivery/deliveries.ts'
import type { UrlSigner } from '../services/delivery/url-signer.ts'
import type { Drafts } from '../services/drafts.ts'
import type { ExecutionEvents } from '../services/execution-events.ts'
import type { Executions } from '../services/executions.ts'
import type { Fonts } from '../services/fonts.ts'
import type { Idempotency } from '../services/idempotency.ts'
import type { ImageUses } from '../services/image-uses.ts'
import type { Images } from '../services/images.ts'
import type { Keys } from '../services/keys.ts'
import type { Projects } from '../services/projects.ts'
import type { Providers } from '../services/providers.ts'
import type { RequestCounts } from '../services/request-counts.ts'
import type { Previews } from '../services/results/previews.ts'
import type { Sessions } from '../services/sessions.ts'
import type { SigningKeys } from '../services/signing-keys.ts'
import type { Thumbnails } from '../services/thumbnails.ts'
import type { Usage } from '../services/usage.ts'
import type { Verification } from '../services/verification.ts'
import type { Webhooks } from '../services/webhooks.ts'
import type { Workflows } from '../services/workflows.ts'

export interface Services {
  batches: Batches
  batchItems: BatchItems
  batchUploads: BatchUploads
  batchEvents: BatchEvents
  batchResults: BatchResults
  estimateBatch: EstimateBatch
  workflows: Workflows
  channels: Channels
  drafts: Drafts
  comparisons: Comparisons
  executions: Executions
  executionEvents: ExecutionEvents
  previews: Previews
  images: Images
  imageUses: ImageUses
  thumbnails: Thumbnails
  deliveries: Deliveries
  urlSigner: UrlSigner
  fonts: Fonts
  brands: Brands
  projects: Projects
  verification: Verification
  providers: Providers
  usage: Usage
  activity: Activity
  requestCounts: RequestCounts
  keys: Keys
  accountKeys: AccountKeys
  signingKeys: SigningKeys
  sessions: Sessions
  webhooks: Webhooks
  /** Counts requests per account. */
  counter: RateCounter
  idempotency: Idempotency
  catalogue: Catalogue
  clock: Clock
  /** Maximum seconds that a request waits for a synchronous execution. */
  syncWaitSeconds: number
  /** Base URL of the API: `PUBLIC_URL/v1`. */
  baseUrl(): string
  /** URL of the documentation, without a slash at the end. Undefined with `DOCS=false`. */
  docsUrl(): string | undefined
  /** A URI, for `/.well-known/security.txt`: `SECURITY_CONTACT`. */
  securityContact: string | undefined
  /** The OpenAPI document with this service's base URL. */
  openApi(): unknown
  /** The reason why the service can't accept requests now. Undefined if it can. */
  readiness(): Promise<string | undefined>
}
