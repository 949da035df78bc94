import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { WorkflowDetail } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { deleteWorkflow } from '../../api/workflows.ts'
import type { Editor } from '../state/editor.ts'
import { announceError } from './actions/announce.ts'

interface Turned {
  made: WorkflowDetail
  /** The document before the nodes were replaced, which Undo brings back. */
  before: WorkflowDocument | undefined
  onOpen(): void
  onDeleted(): void
}

/** Undo brings the nodes back, but the new workflow stays published: offers to delete it then. */
export function watchUndo(editor: Editor, { made, before, onOpen, onDeleted }: Turned): void {
  const id = `turned-${made.id}`
  const name = `${made.slug}@1`
  const stop = editor.document.subscribe(({ document }, last) => {
    if (document === last.document) return
    if (document === before) show()
    else if (Object.values(document.nodes).some(({ workflow }) => workflow === name)) notifications.hide(id)
  })

  function show(): void {
    notifications.show({
      id,
      title: `${made.name} is still published`,
      autoClose: false,
      withBorder: true,
      message: (
        <>
          Undo brought the nodes back. The workflow that was made of them stays.
          <Group gap="xs" mt="xs">
            <Button size="xs" variant="default" onClick={() => void remove()}>
              Delete {made.name}
            </Button>
            <Button size="xs" variant="subtle" onClick={onOpen}>
              Open it
            </Button>
          </Group>
        </>
      ),
    })
  }

  async function remove(): Promise<void> {
    try {
      await deleteWorkflow(made.id)
    } catch (error) {
      announceError(editor, error instanceof Error ? error.message : `${made.name} wasn’t deleted.`)
      return
    }
    stop()
    notifications.hide(id)
    notifications.show({ message: `${made.name} was deleted.` })
    onDeleted()
  }
}
