/** What the pages of one workflow share besides the editor: its id, its canvas, its saving. */
import { createContext, useContext } from 'react'
import type { WorkflowDetail } from '../../api/types.ts'
import type { Autosave } from './autosave.ts'
import type { Canvas } from './canvas-model.ts'

export interface OpenWorkflow {
  workflowId: string
  canvas: Canvas
  autosave: Autosave
  /** Null: never published. */
  workflow: WorkflowDetail | null
}

export const OpenWorkflowContext = createContext<OpenWorkflow | undefined>(undefined)

export function useOpenWorkflow(): OpenWorkflow {
  const open = useContext(OpenWorkflowContext)
  if (open === undefined) throw new Error('There is no workflow around this component.')
  return open
}
