/** A short summary of a comparison. */

import { counted } from '../../ui/format.ts'
import type { ChangeKind, DocumentDiff } from '../document/diff.ts'

export function summaryOf(diff: DocumentDiff): string[] {
  const count = (kind: ChangeKind) => diff.nodes.filter((node) => node.kind === kind).length
  const renamed = diff.nodes.filter(({ renamedFrom }) => renamedFrom !== undefined).length
  const moved = diff.nodes.filter(({ isMoved }) => isMoved).length
  const parameters = diff.parameters.filter(({ kind }) => kind !== 'same').length
  const parts: [number, string][] = [
    [count('added'), `${counted(count('added'), 'node')} added`],
    [count('removed'), `${counted(count('removed'), 'node')} removed`],
    [count('changed'), `${counted(count('changed'), 'node')} changed`],
    [renamed, `${renamed} renamed`],
    [parameters, `${counted(parameters, 'parameter')} changed`],
    [diff.output.length + diff.outputs.length, 'output changed'],
    [diff.workflowChanges.length, 'name, description or examples changed'],
    [moved, `${moved} moved`],
  ]
  return parts.flatMap(([number, text]) => (number > 0 ? [text] : []))
}
