/** Names and values for templates, from the document and the last run. */

import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { brandName } from '../../../../../shared/brand.ts'
import { readValue, scopeValue } from '../../../../../shared/parameters.ts'
import { type BrandValues, brandQuery } from '../../../api/brand.ts'
import type { ParameterValues, WorkflowDocument } from '../../../api/workflow-document.ts'
import { onlyParameter } from '../../document/references.ts'
import { listOrigins } from '../../document/wires.ts'
import { useDocument, useEditor, useRun } from '../../state/editor-context.ts'
import type { NodeRun } from '../../state/node-runs.ts'
import type { TemplateScope } from './language.ts'
import { brandNameOf, namesFor, originOf, type TemplateName } from './names.ts'

/** `node`: the node whose templates these are; undefined for the output. */
export function useTemplateScope(node: string | undefined): TemplateScope {
  const { catalogue } = useEditor()
  const brand = useBrandValues()
  const document = useDocument((state) => state.document)
  const passed = useRun(({ values }) => values)
  const nodes = useRun((state) => state.nodes)
  const found = useMemo(
    () => [...namesFor(document, catalogue, node), brandNameOf(brand)],
    [document, catalogue, node, brand],
  )
  const names = useUnchanged(found)
  return useMemo(() => {
    const parameters = { ...valuesToShow(document, passed), ...(brand && { [brandName]: textsOf(brand) }) }
    const origin = node === undefined ? undefined : originOf(document, node, listOrigins(document, catalogue))
    const item = firstItem(origin === undefined ? undefined : document.nodes[origin]?.each, parameters)
    return {
      names,
      parameters,
      ...(item === undefined ? {} : { item }),
      nodes: new Map([...nodes].map(([id, run]) => [id, knownOf(run)])),
    }
  }, [names, passed, nodes, document, catalogue, node, brand])
}

/** The same list as before while its names are the same: most changes of a document are of other values. */
function useUnchanged(names: readonly TemplateName[]): readonly TemplateName[] {
  const last = useRef(names)
  const isSame = ({ name, type, description, schema }: TemplateName, index: number) => {
    const before = last.current[index]
    return (
      before?.name === name && before.type === type && before.description === description && before.schema === schema
    )
  }
  if (names.length !== last.current.length || !names.every(isSame)) last.current = names
  return last.current
}

/** The values that the project of the workflow has, or else the account. Undefined until they are loaded. */
function useBrandValues(): BrandValues | undefined {
  const { data } = useQuery(brandQuery(useEditor().projectId))
  return useMemo(() => data && { ...data.inherited, ...data.values }, [data])
}

function textsOf(brand: BrandValues): Record<string, string> {
  return Object.fromEntries(Object.entries(brand).map(([name, { value }]) => [name, value]))
}

/** The values of the run form, or else defaults, or else the values of the first example, as templates see them. */
function valuesToShow({ parameters = [], examples = [] }: WorkflowDocument, passed: ParameterValues): Scope {
  const example = examples[0]?.parameters ?? {}
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = passed[parameter.name] ?? parameter.default ?? example[parameter.name]
      if (value === undefined) return []
      const read = readValue(parameter, value).value
      return [[parameter.name, read === undefined ? value : scopeValue(parameter, read)]]
    }),
  )
}

type Scope = Record<string, unknown>

function firstItem(each: unknown, parameters: Scope): Scope | undefined {
  const name = onlyParameter(each)
  const items = name === undefined ? each : parameters[name]
  if (Array.isArray(items) && items.length > 0) return { item: items[0], index: 0 }
  return typeof items === 'number' ? { item: 1, index: 0 } : undefined
}

function knownOf({ width, height }: NodeRun): Record<string, unknown> {
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}
