/** The entries of the palette. */

import { type Searchable, search } from '../../../../shared/search.ts'
import { type Catalogue, workflowType } from '../../api/operations.ts'
import type { WorkflowItem } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { type Group, groups } from '../../ui/groups.ts'
import type { Choice } from './actions/add.ts'

export interface PaletteEntry extends Searchable {
  operationGroup: Group
  /** An operation, or the last output of a workflow. Default: the icon of the group. */
  picture?: { operation: string } | NonNullable<WorkflowItem['lastOutput']>
  /** The node that the entry adds. */
  choice: Choice
}

/** All operations, and an image node for each parameter that can be an image. */
export function entriesFor(catalogue: Catalogue, document: WorkflowDocument): PaletteEntry[] {
  const order = Object.keys(groups)
  const operations = [...catalogue.values()]
    .filter(({ id }) => !isNameOfUsed(id))
    .toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
    .map(
      ({ id, title, summary, keywords, group }): PaletteEntry => ({
        id,
        title,
        names: [id],
        summary,
        keywords,
        group: `${group} ${groups[group].title}`,
        operationGroup: group,
        picture: { operation: id },
        choice: { type: id },
      }),
    )
  if (!catalogue.has('image')) return operations
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
  return found.flatMap(({ id, name, slug, version, lastOutput }): PaletteEntry[] => {
    if (version === undefined || except.has(id)) return []
    const used = `${slug ?? id}@${version}`
    return [
      {
        id: used,
        title: name,
        names: slug == null ? [] : [slug],
        summary: `Version ${version}`,
        keywords: ['workflow', 'component'],
        group: 'workflows',
        operationGroup: 'combine',
        ...(lastOutput === undefined ? {} : { picture: lastOutput }),
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
    ...grouped,
    { title: 'Workflows', entries: workflows },
  ].filter((section) => section.entries.length > 0)
}

/** The entries of a search: operations first, because workflows have names of any words. */
export function resultsOf(entries: readonly PaletteEntry[], query: string, recent: readonly string[]): Section[] {
  const found = search(entries, query, recent)
  return [
    { title: '', entries: found.filter(({ id }) => !isNameOfUsed(id)) },
    { title: 'Workflows', entries: found.filter(({ id }) => isNameOfUsed(id)) },
  ].filter((section) => section.entries.length > 0)
}
