import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useRef } from 'react'

const Notifications = lazy(async () => ({ default: (await import('./notifications.tsx')).BottomNotifications }))

/** The notifications, loaded with the first of them: most visits have none. */
export function LazyNotifications() {
  const { notifications } = useNotifications()
  const areLoaded = useRef(false)
  areLoaded.current ||= notifications.length > 0
  return <Suspense>{areLoaded.current && <Notifications />}</Suspense>
}
