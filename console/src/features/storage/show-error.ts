import { notifications } from '@mantine/notifications'

export function showError(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : '' })
}
