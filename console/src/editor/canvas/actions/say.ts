import { notifications } from '@mantine/notifications'
import type { Canvas } from '../../state/canvas-model.ts'

/** For screen readers: what was done, where others see it. */
export function say({ ui }: Canvas, announcement: string): void {
  ui.setState({ announcement })
}

/** What cannot be done, and why. */
export function refuse(canvas: Canvas, reason: string): void {
  say(canvas, reason)
  notifications.show({ id: 'canvas-refusal', color: 'red', message: reason, autoClose: 5000, withBorder: true })
}
