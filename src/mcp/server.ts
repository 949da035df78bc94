/** A server of the Model Context Protocol for one request: lists and calls of tools, prompts and resources. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { mayUse } from '../domain/accounts/key.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import { publishedSchema } from '../domain/published-schema.ts'
import { type Check, checker } from '../domain/validate.ts'
import { invalidRequest } from '../errors.ts'
import { limits } from '../limits.ts'
import { toResult } from './answer.ts'
import { rejected } from './executions.ts'
import { instructions } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, readResource } from './resources.ts'
import type { Session, Tool, ToolContext } from './tool.ts'
import { tools } from './tools/index.ts'
import { runPermission, runPrefix, runTool, runWorkflow } from './tools/run-workflow.ts'

const byName = new Map(tools.map((tool) => [tool.name, tool]))
const checks = new Map<string, Check>(tools.map(({ name, input }) => [name, checker(input, 'argument')]))

export function createMcpServer(session: Session): Server {
  const { version } = session.services
  const server = new Server(
    { name: 'tintype', title: 'Tintype', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler('tools/list', ({ params }) => safely(session, () => listTools(session, params?.cursor)))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, context) =>
    callTool(name, args, {
      ...session,
      signal: AbortSignal.any([session.signal, context.mcpReq.signal]),
      onProgress: progressOf(context),
    }),
  )
  server.setRequestHandler('resources/list', () => listResources())
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => safely(session, async () => readResource(uri)))
  server.setRequestHandler('prompts/list', () => listPrompts())
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => getPrompt(name, args))
  return server
}

/**
 * First the tools of every account, then those of workflows, at most as much as an answer can have. `cursor`: the number of workflows that were
 * looked at.
 */
async function listTools({ caller, services, signal }: Session, cursor: string | undefined) {
  const listed = cursor === undefined ? tools.filter(({ needs }) => isAllowed(caller, needs)).map(toolRecord) : []
  if (!isAllowed(caller, runPermission)) return { tools: listed }
  const start = cursor === undefined ? 0 : parseCursor(cursor)
  const found: ReturnType<typeof runTool>[] = []
  let bytes = bytesOf(listed)
  for (let from: number | undefined = start; from !== undefined; ) {
    if (from >= start + limits.mcpSearchedMax) return { tools: [...listed, ...found], nextCursor: String(from) }
    const page: Awaited<ReturnType<typeof services.agentTools.list>> = await services.agentTools.list(
      caller.account.id,
      from,
      signal,
    )
    for (const workflow of page.tools) {
      const tool = runTool(workflow)
      bytes += bytesOf(tool)
      if (bytes > limits.mcpAnswerBytesMax && found.length > 0)
        return { tools: [...listed, ...found], nextCursor: String(workflow.at) }
      found.push(tool)
    }
    from = page.next
  }
  return { tools: [...listed, ...found] }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The message of an unexpected error is for the log alone. */
async function safely<Result>({ onError, signal }: Session, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw error
    if (!signal.aborted) onError(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error. The log of the service has the cause.')
  }
}

function parseCursor(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor must be the nextCursor of a list.')
}

function isAllowed({ key }: Session['caller'], needs: Tool['needs']): boolean {
  return needs.length === 0 || mayUse(key.permissions, needs)
}

function toolRecord({ name, title, description, input, output, annotations }: Tool) {
  const inputSchema = publishedSchema(input) as unknown as { type: 'object' }
  const outputSchema = output as { type: 'object' } | undefined
  return { name, title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations }
}

async function callTool(name: string, args: Record<string, unknown>, context: ToolContext): Promise<CallToolResult> {
  try {
    const tool = byName.get(name)
    if (tool !== undefined) {
      const issues = checks.get(name)?.(args) ?? []
      if (issues.length > 0) throw invalidRequest(issues)
      return toResult(await tool.run(args, context))
    }
    if (name.startsWith(runPrefix)) {
      const { agentTools } = context.services
      const workflow = await agentTools.find(context.caller.account.id, name.slice(runPrefix.length))
      if (workflow !== undefined) return toResult(await runWorkflow(workflow, args, context))
      const say =
        'This tool is not available: its workflow was deleted or renamed, or has no `mcp`. List the tools again.'
      return toResult({ say, isError: true })
    }
  } catch (error) {
    return toResult(rejected(error, context))
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name.slice(0, 200))}`)
}

function progressOf({ mcpReq }: ServerContext): ToolContext['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  const started = monotonicMs()
  return (message) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: Math.round(elapsedSince(started)) / 1_000, message },
    })
}
