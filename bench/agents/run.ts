/** Gives briefs to an agent, one after another, and checks what it saved. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type Brief, root, startOf, withFiles } from './brief.ts'
import { problemsOf } from './checks.ts'
import type { Recorded, Recorder } from './recorder.ts'
import type { Service } from './service.ts'

export interface Task {
  brief: Brief
  /** The text for the agent, with the ids of its files. */
  prompt: string
  mcpUrl: string
  key: string
  /** File name in the brief -> id of the stored image. */
  ids: Record<string, string>
  /** The workflow that the brief starts from, saved as a draft. */
  workflowId?: string
}

/** Works on a task until it is done. An error that it throws is a problem of the result. */
export type Agent = (task: Task) => Promise<void>

export interface Result {
  id: string
  /** Empty if the brief is solved. */
  problems: string[]
  /** Calls of tools. */
  calls: number
  records: Recorded[]
  /** The workflow that the agent saved, and the ids of the files. Undefined if it saved none. */
  made?: { workflowId: string; ids: Record<string, string> }
}

/** One account: an agent works on one brief at a time, because its result is the workflow that changed meanwhile. */
export interface Lane {
  service: Service
  recorder: Recorder
  /** The key of the agent. */
  key: string
}

/** The results in the order of the briefs. */
export async function runBriefs(
  briefs: readonly Brief[],
  lanes: readonly Lane[],
  agent: Agent,
  onResult: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  async function work(lane: Lane): Promise<void> {
    for (let at = next++; at < briefs.length; at = next++) {
      const result = await runBrief(briefs[at] as Brief, lane, agent)
      results[at] = result
      onResult(result)
    }
  }
  await Promise.all(lanes.map(work))
  return results
}

async function runBrief(brief: Brief, { service, recorder, key }: Lane, agent: Agent): Promise<Result> {
  const problems: string[] = []
  let records: Recorded[] = []
  let made: Result['made']
  try {
    const ids = await uploadFiles(brief, service)
    const start = startOf(brief)
    const workflowId = start && (await service.saveDraft(withFiles(start, ids))).workflowId
    const before = await service.saved()
    const task = { brief, ids, mcpUrl: recorder.url, key, ...(workflowId !== undefined && { workflowId }) }
    recorder.take()
    try {
      await agent({ ...task, prompt: promptOf(brief, ids, workflowId) })
    } catch (error) {
      problems.push(`agent: ${(error as Error).message}`)
    }
    records = recorder.take()
    const changed = [...(await service.saved())].filter(([id, mark]) => before.get(id) !== mark)
    const latest = changed.sort(([, a], [, b]) => (a < b ? 1 : -1)).map(([id]) => id)
    const saved = latest.find((id) => id === workflowId) ?? latest[0]
    if (saved === undefined) problems.push('agent: saved no workflow')
    else {
      made = { workflowId: saved, ids }
      problems.push(...(await checked(brief, service, saved, ids)))
    }
  } catch (error) {
    problems.push((error as Error).message)
  }
  const calls = records.filter(({ method }) => method === 'tools/call').length
  return { id: brief.id, problems, calls, records, ...(made && { made }) }
}

/** The problems of a saved workflow. */
export async function checked(
  brief: Brief,
  service: Service,
  workflowId: string,
  ids: Record<string, string>,
): Promise<string[]> {
  const document = await service.document(workflowId)
  const given = withFiles(brief.given ?? {}, ids)
  return problemsOf(withFiles(brief.checks, ids), { service, workflowId, document, given })
}

async function uploadFiles({ files = {}, folder }: Brief, service: Service): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [name, path] of Object.entries(files)) {
    const file = path.startsWith('./') ? resolve(folder, path) : resolve(root, path)
    ids[name] = await service.upload(readFileSync(file), basename(file))
  }
  return ids
}

function promptOf({ brief }: Brief, ids: Record<string, string>, workflowId: string | undefined): string {
  const files = Object.entries(ids).map(([name, id]) => `- ${name}: ${id}`)
  return [
    brief.trim(),
    files.length > 0 ? `Files with the brief, as ids of stored images:\n${files.join('\n')}` : '',
    workflowId === undefined ? '' : `The workflow is the draft ${workflowId}.`,
    'Use the tools of the MCP server "tintype". Save the result as a draft, execute it and look at its image. Do not publish it.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
