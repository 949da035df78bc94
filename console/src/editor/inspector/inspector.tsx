import { type RefObject, Suspense, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { isNote } from '../document/notes.ts'
import { addParameter } from '../document/parameters.ts'
import { isWithin } from '../document/path.ts'
import { outputId } from '../document/wires.ts'
import { CreateParameterContext } from '../form/form-context.tsx'
import { showField, showFieldNow } from '../form/show-field.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { NoteInspector } from './note-inspector.tsx'
import { WorkflowInspector } from './workflow-inspector.tsx'

/** The inspectors of a selection. The editor opens without one. The form of a note isn't lazy: the text is typed right after the key that adds the note. */
const ManyInspector = lazyPart(() => import('./many-inspector.tsx'), 'ManyInspector')
const NodeInspector = lazyPart(() => import('./node-inspector.tsx'), 'NodeInspector')
const OutputInspector = lazyPart(() => import('./output-inspector.tsx'), 'OutputInspector')

/** The settings of the selection: a node, several nodes, the output, or the workflow if nothing is selected. */
export function Inspector() {
  const selection = useDocument((state) => state.selection)
  const panel = useRef<HTMLDivElement>(null)
  const focus = useDocument((state) => state.focus)
  // Read when the field is requested: the inspector with the field may be loaded later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request has its own
  const focusedBefore = useMemo(() => document.activeElement, [focus])
  const [first] = selection
  // A renamed node keeps its form, and so the focus.
  const node = useRef({ id: first, key: 0 })
  if (node.current.id !== first) node.current = { id: first, key: node.current.key + 1 }
  const followRename = (to: string) => {
    node.current = { ...node.current, id: to }
  }
  const { document: store } = useEditor()
  const createParameter = useCallback(
    (name: string) =>
      store.getState().change(`Create the parameter ${name}`, (document) => {
        addParameter(document, { name })
      }),
    [store],
  )
  return (
    <div ref={panel} className={classes.panel}>
      <CreateParameterContext value={createParameter}>
        <Suspense>
          {first === undefined ? (
            <WorkflowInspector />
          ) : selection.length > 1 ? (
            <ManyInspector ids={selection} />
          ) : first === outputId ? (
            <OutputInspector />
          ) : isNote(first) ? (
            <NoteInspector key={first} id={first} />
          ) : (
            <NodeInspector key={node.current.key} id={first} onRename={followRename} />
          )}
          <FocusedField panel={panel} before={focusedBefore} />
        </Suspense>
      </CreateParameterContext>
    </div>
  )
}

/** Focuses the field of `focus`. It is next to the inspector, so that it waits until the inspector is loaded. */
function FocusedField({ panel, before }: { panel: RefObject<HTMLDivElement | null>; before: Element | null }) {
  const focus = useDocument((state) => state.focus)
  useLayoutEffect(() => {
    if (focus === undefined) return undefined
    if (isWithin(focus.path, 'layout')) showFieldNow(panel.current, focus.path)
    return showField(panel, focus.path, before)
  }, [focus, panel, before])
  return null
}
