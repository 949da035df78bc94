import { operationOf } from '../../../api/operations.ts'
import { type Command, useCommands } from '../../../ui/commands/commands.ts'
import { useDocument, useEditor } from '../../state/editor-context.ts'
import { goToCard } from '../actions/focus.ts'

/** A command for each node: "Find anything" finds it by its id and its operation. */
export function useGoCommands(): void {
  const editor = useEditor()
  const nodes = useDocument(({ document }) => document.nodes)
  useCommands(
    Object.entries(nodes).map(([id, node]): Command => {
      const title = operationOf(editor.catalogue, node)?.title ?? node.type
      return {
        id: `canvas.goTo.${id}`,
        title: `${id} · ${title}`,
        group: 'Nodes of this workflow',
        keywords: [node.type],
        isFound: true,
        run: () => goToCard(editor, id),
      }
    }),
  )
}
