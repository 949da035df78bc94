import { notifications } from '@mantine/notifications'
import type { Editor } from '../../state/editor.ts'

/** Announces to screen readers what others can see. */
export function announce(editor: Editor, announcement: string): void {
  editor.canvas.setState({ announcement })
}

/** Shows why an action is not possible. */
export function announceError(editor: Editor, reason: string): void {
  announce(editor, reason)
  notifications.show({ id: 'canvas-refusal', color: 'red', message: reason, autoClose: 5000, withBorder: true })
}
