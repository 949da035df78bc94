/** Pin and bypass of a node, for its card and the inspector. */
import { useState } from 'react'
import { operationOf } from '../../api/operations.ts'
import { isBypassed } from '../document/node-records.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { useIsList } from '../state/use-is-list.ts'
import { pinOrSay, toggleBypass, unpin } from './pin.ts'

export interface Switch {
  isOn: boolean
  /** Whether the node can have it, or has it. */
  isAvailable: boolean
  isBusy: boolean
  toggle(): void
}

export function usePin(id: string): Switch {
  const editor = useEditor()
  const isOn = useDocument(({ document }) => document.nodes[id]?.pinned !== undefined)
  const isList = useIsList(id)
  const hasOneImage = useDocument(({ document }) => {
    const operation = operationOf(editor.catalogue, document.nodes[id])
    return operation !== undefined && operation.outputs.image !== null && (operation.namedOutputs ?? []).length === 0
  })
  const [isBusy, setBusy] = useState(false)
  const toggle = () => {
    if (isOn) return unpin(editor, id)
    setBusy(true)
    void pinOrSay(editor, id).finally(() => setBusy(false))
  }
  return { isOn, isAvailable: isOn || (hasOneImage && !isList), isBusy, toggle }
}

export function useBypass(id: string): Switch {
  const editor = useEditor()
  const isOn = useDocument(({ document }) => isBypassed(document, id))
  const hasInput = useDocument(({ document }) => Object.keys(document.nodes[id]?.inputs ?? {}).length > 0)
  return { isOn, isAvailable: isOn || hasInput, isBusy: false, toggle: () => toggleBypass(editor, id) }
}
