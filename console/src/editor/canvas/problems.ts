/** What is wrong with a node: issues whose path leads to it. */
import type { Issue } from '../../api/client.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { counted } from '../../ui/format.ts'
import { isMissing } from '../document/missing.ts'
import { outputId } from '../document/wires.ts'

/** The id of the card that a path leads to: `nodes.title.params.size` -> `title`. */
export function cardOf(path: string): string | undefined {
  const [room, id] = path.split('.')
  return room === 'nodes' ? id : room === 'output' ? outputId : undefined
}

export function problemsOf(issues: readonly Issue[], id: string): number {
  let count = 0
  for (const { path } of issues) if (cardOf(path) === id) count++
  return count
}

/** Whether there are problems, and each of them is of something that is not there yet. */
export function isOnlyMissing(document: WorkflowDocument, issues: readonly Issue[], id?: string): boolean {
  const own = id === undefined ? issues : issues.filter(({ path }) => cardOf(path) === id)
  return own.length > 0 && own.every(({ path }) => isMissing(document, path))
}

export function wordsOf(count: number, areMissing: boolean): string {
  return areMissing ? `${count} missing` : counted(count, 'problem')
}
