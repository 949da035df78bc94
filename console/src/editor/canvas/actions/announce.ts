import { notifications } from '@mantine/notifications'
import type { Editor } from '../../state/editor.ts'

/** For screen readers: what was done, where others see it. */
export function announce(editor: Editor, announcement: string): void {
  editor.canvas.setState({ announcement })
}

/** What cannot be done, and why. */
export function announceError(editor: Editor, reason: string): void {
  announce(editor, reason)
  notifications.show({ id: 'canvas-refusal', color: 'red', message: reason, autoClose: 5000, withBorder: true })
}
