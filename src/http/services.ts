/** Services and settings that route handlers use. */

import type { RateCounter } from '../domain/accounts/rate.ts'
import type { Clock } from '../domain/clock.ts'
import type { Catalogue } from '../operations/define.ts'
import type { AccountKeys } from '../services/accounts/account-keys.ts'
import type { Activity } from '../services/accounts/activity.ts'
import type { AuditLog } from '../services/accounts/audit-log.ts'
import type { Brands } from '../services/accounts/brands.ts'
import type { Fonts } from '../services/accounts/fonts.ts'
import type { Keys } from '../services/accounts/keys.ts'
import type { Projects } from '../services/accounts/projects.ts'
import type { RequestCounts } from '../services/accounts/request-counts.ts'
import type { Sessions } from '../services/accounts/sessions.ts'
import type { Usage } from '../services/accounts/usage.ts'
import type { Batches } from '../services/batches/batches.ts'
import type { EstimateBatch } from '../services/batches/estimate.ts'
import type { BatchEvents } from '../services/batches/events.ts'
import type { BatchItems } from '../services/batches/items.ts'
import type { BatchResults } from '../services/batches/results.ts'
import type { BatchUploads } from '../services/batches/uploads.ts'
import type { Verification } from '../services/credentials/verification.ts'
import type { Deliveries } from '../services/delivery/deliveries.ts'
import type { SigningKeys } from '../services/delivery/signing-keys.ts'
import type { UrlSigner } from '../services/delivery/url-signer.ts'
import type { ExecutionEvents } from '../services/executions/execution-events.ts'
import type { Executions } from '../services/executions/executions.ts'
import type { OpenAiImages } from '../services/executions/openai-images.ts'
import type { Idempotency } from '../services/idempotency.ts'
import type { Bin } from '../services/images/bin.ts'
import type { ImageUses } from '../services/images/image-uses.ts'
import type { Images } from '../services/images/images.ts'
import type { Thumbnails } from '../services/images/thumbnails.ts'
import type { Providers } from '../services/providers.ts'
import type { Previews } from '../services/results/previews.ts'
import type { Webhooks } from '../services/webhooks/webhooks.ts'
import type { AgentTools } from '../services/workflows/agent-tools.ts'
import type { Channels } from '../services/workflows/channels.ts'
import type { Comparisons } from '../services/workflows/comparisons.ts'
import type { DraftPreviews } from '../services/workflows/draft-previews.ts'
import type { Drafts } from '../services/workflows/drafts.ts'
import type { OpenAiModels } from '../services/workflows/openai-models.ts'
import type { RunLinks } from '../services/workflows/run-links.ts'
import type { SvgImports } from '../services/workflows/svg-imports.ts'
import type { Workflows } from '../services/workflows/workflows.ts'

export interface Services {
  batches: Batches
  batchItems: BatchItems
  batchUploads: BatchUploads
  batchEvents: BatchEvents
  batchResults: BatchResults
  estimateBatch: EstimateBatch
  workflows: Workflows
  channels: Channels
  agentTools: AgentTools
  /** The bytes of an image id or a URL, for an account. Throws `workflow_failed`, as a node does. */
  openSource(accountId: string, source: string, signal: AbortSignal): Promise<Buffer>
  drafts: Drafts
  draftPreviews: DraftPreviews
  comparisons: Comparisons
  svgImports: SvgImports
  executions: Executions
  executionEvents: ExecutionEvents
  openAiModels: OpenAiModels
  openAiImages: OpenAiImages
  previews: Previews
  images: Images
  bin: Bin
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
  runLinks: RunLinks
  signingKeys: SigningKeys
  sessions: Sessions
  auditLog: AuditLog
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
  /** Whether `/` is the console. */
  hasConsole: boolean
  /** A URI, for `/.well-known/security.txt`: `SECURITY_CONTACT`. */
  securityContact: string | undefined
  /** The OpenAPI document with this service's base URL. */
  openApi(): unknown
  /** The release, as in `package.json`. */
  version: string
  /** The reason why the service can't accept requests now. Undefined if it can. */
  readiness(): Promise<string | undefined>
}
