/** Names and values for templates, from the document and the last run. */

import { useMemo } from 'react'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { useDocument, useEditor, useRun } from '../../state/editor-context.ts'
import type { NodeRun } from '../../state/node-runs.ts'
import type { TemplateScope } from './language.ts'
import { namesFor } from './names.ts'

/** `node`: the node whose templates these are; undefined for the output. */
export function useTemplateScope(node: string | undefined): TemplateScope {
  const { catalogue } = useEditor()
  const document = useDocument((state) => state.document)
  const passed = useRun(({ values }) => values)
  const nodes = useRun((state) => state.nodes)
  const names = useMemo(() => namesFor(document, catalogue, node), [document, catalogue, node])
  return useMemo(() => {
    const item = node === undefined ? undefined : firstItem(document, node)
    return {
      names,
      parameters: { ...valuesToShow(document), ...passed },
      ...(item === undefined ? {} : { item }),
      nodes: new Map([...nodes].map(([id, run]) => [id, knownOf(run)])),
    }
  }, [names, passed, nodes, document, node])
}

/** Defaults, and otherwise the values of the first example. */
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
