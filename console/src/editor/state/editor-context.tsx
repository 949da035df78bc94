import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { Editor, EditorState } from './document-store.ts'

const EditorContext = createContext<Editor | undefined>(undefined)

export function EditorProvider({ editor, children }: { editor: Editor; children: ReactNode }) {
  return <EditorContext value={editor}>{children}</EditorContext>
}

/** The store itself, for handlers that read it when something happens. */
export function useEditorStore(): Editor {
  const editor = useContext(EditorContext)
  if (editor === undefined) throw new Error('There is no editor around this component.')
  return editor
}

/** For parts that also stand where no workflow is edited. */
export function useOptionalEditorStore(): Editor | undefined {
  return useContext(EditorContext)
}

/** A part of the editor's state; renders again when that part is another one. */
export function useEditor<Part>(select: (state: EditorState) => Part): Part {
  return useStore(useEditorStore(), select)
}
