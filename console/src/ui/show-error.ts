import { notifications } from '@mantine/notifications'

/** A notice with the message of the error. */
export function showError(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : String(error) })
}
