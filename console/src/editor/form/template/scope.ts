/** Names and values for the templates of the form that is shown, from the document and the last run. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Catalogue, operationsQuery, toCatalogue } from '../../../api/operations.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { useEditor } from '../../state/editor-context.tsx'
import { type NodeRun, useRun } from '../../state/run-context.tsx'
import type { TemplateScope } from './language.ts'
import { namesFor } from './names.ts'

const none: Catalogue = new Map()

export function useCatalogue(): Catalogue {
  const { data } = useQuery({ ...operationsQuery, select: toCatalogue })
  return data ?? none
}

/** `node`: whose templates they are; undefined for the output's. */
export function useTemplateScope(node: string | undefined): TemplateScope {
  const catalogue = useCatalogue()
  const document = useEditor((state) => state.document)
  const { values: given, nodes } = useRun()
  const names = useMemo(() => namesFor(document, catalogue, node), [document, catalogue, node])
  return useMemo(() => {
    const item = node === undefined ? undefined : firstItem(document, node)
    return {
      names,
      parameters: { ...valuesToShow(document), ...given },
      ...(item === undefined ? {} : { item }),
      nodes: new Map([...nodes].map(([id, run]) => [id, knownOf(run)])),
    }
  }, [names, given, nodes, document, node])
}

/** Defaults, and where there is none what the first example passes. */
function valuesToShow({ parameters = [], examples = [] }: WorkflowDocument): Record<string, unknown> {
  const example = examples[0]?.parameters ?? {}
  return Object.fromEntries(
    parameters.flatMap(({ name, default: value = example[name] }) => (value === undefined ? [] : [[name, value]])),
  )
}

function firstItem({ nodes }: WorkflowDocument, node: string): Record<string, unknown> | undefined {
  const each = nodes[node]?.each
  if (Array.isArray(each) && each.length > 0) return { item: each[0], index: 0 }
  return typeof each === 'number' ? { item: 0, index: 0 } : undefined
}

function knownOf({ width, height }: NodeRun): Record<string, unknown> {
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}
