/** The entries of the palette for a request. */
import { type Catalogue, workflowType } from '../../api/operations.ts'
import type { WorkflowItem } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { type Group, groups } from '../../ui/groups.ts'
import type { PaletteRequest } from '../state/canvas.ts'
import type { Choice } from './actions/add.ts'
import type { Searchable } from './search.ts'

export interface PaletteEntry extends Searchable {
  operationGroup: Group
  /** The node that the entry adds. */
  choice: Choice
}

export function entriesFor(catalogue: Catalogue, document: WorkflowDocument, request: PaletteRequest): PaletteEntry[] {
  const needsInput = request.from !== undefined || request.wire !== undefined
  const needsImage = request.to !== undefined || request.wire !== undefined
  const order = Object.keys(groups)
  const operations = [...catalogue.values()]
    .filter(({ id }) => !isNameOfUsed(id))
    .filter(({ inputs, outputs }) => (!needsInput || inputs.length > 0) && (!needsImage || outputs.image !== null))
    .toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
    .map(
      ({ id, title, summary, keywords, group }): PaletteEntry => ({
        id,
        title,
        summary,
        keywords,
        group: `${group} ${groups[group].title}`,
        operationGroup: group,
        choice: { type: id },
      }),
    )
  if (needsInput || !catalogue.has('image')) return operations
  const images = (document.parameters ?? [])
    .filter(({ type }) => type === 'string')
    .map(
      ({ name, description }): PaletteEntry => ({
        id: `parameter:${name}`,
        title: name,
        summary: description ?? 'The image of this parameter',
        group: 'parameter source image',
        operationGroup: 'source',
        choice: { type: 'image', id: name.toLowerCase(), params: { source: `{{ ${name} }}` } },
      }),
    )
  return [...operations, ...images]
}

/** The catalogue has used workflows by their names in documents, such as `link-card@7`. */
function isNameOfUsed(id: string): boolean {
  return id.includes('@')
}

/** The workflows of the account that a node can use, in their newest version. `except`: those that a cycle would come from. */
export function workflowEntries(found: readonly WorkflowItem[], except: ReadonlySet<string>): PaletteEntry[] {
  return found.flatMap(({ id, name, slug, version }): PaletteEntry[] => {
    if (version === undefined || except.has(id)) return []
    const used = `${slug ?? id}@${version}`
    return [
      {
        id: used,
        title: name,
        summary: used,
        keywords: ['workflow', 'component'],
        group: 'workflows',
        operationGroup: 'combine',
        choice: { type: workflowType, workflow: used, id: slug ?? 'workflow' },
      },
    ]
  })
}

export interface Section {
  title: string
  entries: PaletteEntry[]
}

const recentShown = 5
/** Number of workflows shown without a search. */
export const workflowsShown = 5

/** The entries before a search: recently used, then by group. */
export function sectionsOf(entries: readonly PaletteEntry[], recent: readonly string[]): Section[] {
  const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, recentShown)
  const parameters = entries.filter(({ id }) => id.startsWith('parameter:'))
  const workflows = entries.filter(({ id }) => isNameOfUsed(id)).slice(0, workflowsShown)
  const grouped = Object.entries(groups).map(([group, { title }]) => ({
    title,
    entries: entries.filter(
      (entry) => entry.operationGroup === group && !entry.id.startsWith('parameter:') && !isNameOfUsed(entry.id),
    ),
  }))
  return [
    { title: 'Recently used', entries: used },
    { title: 'Images from parameters', entries: parameters },
    { title: 'Workflows', entries: workflows },
    ...grouped,
  ].filter((section) => section.entries.length > 0)
}
