import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

export function BottomNotifications() {
  return <Notifications position="bottom-right" />
}
