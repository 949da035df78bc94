/** The shape of a tool. A tool only makes requests of the API and converts their responses. */
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { Static, TObject } from 'typebox'
import type { Caller, Grant } from '../domain/accounts/key.ts'
import type { Catalogue } from '../operations/define.ts'
import type { AgentTools } from '../services/workflows/agent-tools.ts'
import type { Answer } from './answer.ts'
import type { Api } from './api.ts'

/** The services that aren't routes, and facts of this service. */
export interface McpServices {
  agentTools: AgentTools
  catalogue: Catalogue
  /** `PUBLIC_URL`. */
  serviceUrl(): string
  /** The bytes of an image id or a URL, for an account. */
  openSource(accountId: string, source: string, signal: AbortSignal): Promise<Buffer>
  hasConsole: boolean
  docsUrl(): string | undefined
  version: string
}

/** One request of a client. */
export interface Session {
  caller: Caller
  api: Api
  services: McpServices
  /** Logs an unexpected error. */
  onError(error: unknown): void
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

export interface ToolContext extends Session {
  /** Undefined if the client requested no progress. */
  onProgress: ((message: string) => Promise<void>) | undefined
}

export interface Tool<P extends TObject = TObject> {
  name: string
  title: string
  description: string
  input: P
  /** JSON Schema of `structured` of the answer. */
  output?: Record<string, unknown>
  annotations: ToolAnnotations
  /** The tool is listed for keys with one of these permissions; empty: for all. The routes check them, too. */
  needs: readonly Grant[]
  run(args: Static<P>, context: ToolContext): Promise<Answer>
}

export function defineTool<P extends TObject>(tool: Tool<P>): Tool {
  return tool as unknown as Tool
}

export const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
