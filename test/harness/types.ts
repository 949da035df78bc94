/** The resources as the specification and the decisions define them, not derived from the service. */

export interface ErrorBody {
  error: { code: string; message: string; retryAfter?: number; details: ErrorDetails }
}

export interface ErrorDetails {
  requestId: string
  docs?: string
  issues?: Issue[]
  nodes?: string[]
  permission?: string
  allow?: string[]
  retryAfterSeconds?: number
  limit?: number
  executionId?: string
  node?: string
  operation?: string
  reason?: string
}

export interface Issue {
  path: string
  message: string
}

export interface Execution {
  executionId: string
  workflowId: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  output?: Output
  error?: ErrorBody['error']
  duration?: number
  startedAt?: string
  completedAt?: string
  parameters?: Record<string, unknown>
}

export interface Output {
  url: string
  width: number
  height: number
  format: string
}

export interface Image {
  id: string
  url: string
  name: string
  size: number
  format: string
  width: number
  height: number
  createdAt: string
  projectId?: string
}

export interface Verified {
  format: string
  size: number
  sha256: string
  credentials: VerifiedManifest | null
  reexecution?: Reexecution | null
}

export interface Reexecution {
  result: 'equal' | 'partial' | 'different' | 'impossible'
  message: string
  executionId?: string
  workflowId?: string
  workflowVersion?: number
  steps: { node: string; operation: string; result: string; message?: string }[]
  firstDifference?: { node: string; operation: string; message: string }
  output?: { sameSize: boolean; differing: number | null; maxDifference: number | null }
}

export interface VerifiedManifest {
  state: 'trusted' | 'valid' | 'invalid'
  problems: { code: string; message: string }[]
  signer: { issuer?: string; commonName?: string; isOwn: boolean } | null
  claimGenerator?: string
  actions: { action: string; softwareAgent?: string }[]
  ingredients: { title: string; relationship: string; credentials: VerifiedManifest | null }[]
  assertions: Record<string, unknown>
}

export interface Font {
  id: string
  family: string
  format: string
  weightMin: number
  weightMax: number
  italic: boolean
  size: number
  createdAt: string
}

export interface Project {
  id: string
  name: string
  description: string
  createdAt: string
  updatedAt: string
}

export interface Workflow {
  id: string
  name: string
  description: string
  projectId: string
  parameters: { name: string; type: string; required?: boolean; default?: string | number }[]
  inputSchema: Record<string, unknown>
  createdAt: string
  updatedAt?: string
}

export interface Uncounted {
  hasMore: boolean
  cursor: string | null
}
export interface Listed extends Uncounted {
  total: number
}

export type Fonts = Listed & { fonts: Font[] }
export interface ImageUses {
  workflows: { workflowId: string; name: string; version?: number; draft: boolean }[]
  hasMore: boolean
}
export type Images = Listed & { images: Image[] }
export type Projects = Listed & { projects: Project[] }
export type Workflows = Listed & { workflows: Workflow[] }
export type Executions = Uncounted & { executions: Execution[] }

/** Fields that the service adds to documented shapes. */
export const added = {
  output: ['imageId'],
  workflow: ['inputSchema', 'updatedAt', 'version'],
  savedWorkflow: ['inputSchema', 'updatedAt', 'version', 'warnings'],
  execution: ['createdAt', 'duration', 'parameters', 'workflowVersion'],
  image: ['thumbnailUrl'],
}
