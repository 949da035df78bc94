/**
 * The reference client: works through `/mcp` as an agent would, with a solution from a file in place of a model. It corrects an invalid
 * workflow by the answers of the service alone.
 */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { type Solution, withFiles } from './brief.ts'
import { type Document, edited } from './document.ts'
import { type Problem, repaired } from './repair.ts'
import type { Task } from './run.ts'

/** Corrections of one document before the agent gives up. */
const repairsMax = 5

export async function solve({ brief, mcpUrl, key, ids, workflowId }: Task, solution: Solution): Promise<void> {
  const client = new Client({ name: 'tintype-bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }) as Transport)
  try {
    await client.listTools()
    const { search, set = {}, document } = withFiles(solution, ids)
    const given = withFiles(brief.given ?? {}, ids)
    let draft: Document
    if (workflowId === undefined) {
      await call(client, 'search_operations', { words: search })
      draft = { name: brief.id, ...document }
      await validated(client, draft, given)
    } else {
      const found = await call<{ document: Document }>(client, 'get_workflow', { workflow: workflowId })
      draft = edited(await corrected(client, found.document), { ...document, ...set })
    }
    const saved = await call<{ workflowId: string }>(client, 'save_draft', {
      document: draft,
      ...(workflowId !== undefined && { workflow: workflowId }),
    })
    await call(client, 'execute_draft', { workflow: saved.workflowId, parameters: given })
  } finally {
    await client.close()
  }
}

async function validated(client: Client, document: Document, parameters?: object): Promise<Problem[]> {
  const args = { document, ...(parameters && { parameters }) }
  return (await call<{ issues: Problem[] }>(client, 'validate_workflow', args)).issues
}

/** Repairs the document by the first problem of each answer, until it is valid or a problem has no correction. */
async function corrected(client: Client, document: Document): Promise<Document> {
  let current = document
  for (let count = 0; count < repairsMax; count += 1) {
    const [first] = await validated(client, current)
    const next = first && repaired(current, first)
    if (next === undefined) return current
    current = next
  }
  return current
}

const dataForm = /^<data [^>]*>\n(.*)\n<\/data>$/s

/** The data of the answer. Throws if the tool returned an error. */
async function call<Data>(client: Client, name: string, args: Record<string, unknown>): Promise<Data> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const texts = (content as { text?: string }[]).flatMap(({ text }) => text ?? [])
  if (isError) throw new Error(`${name}: ${texts.join(' ')}`)
  const data = texts.flatMap((text) => dataForm.exec(text)?.[1] ?? [])[0]
  return JSON.parse(data ?? 'null') as Data
}
