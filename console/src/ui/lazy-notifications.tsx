import { useNotifications } from '@mantine/notifications'
import { Suspense, useRef } from 'react'
import { lazyPart } from './lazy-part.ts'

const Notifications = lazyPart(() => import('./notifications.tsx'), 'BottomNotifications')

/** The notifications, loaded with the first of them: most visits have none. */
export function LazyNotifications() {
  const { notifications } = useNotifications()
  const areLoaded = useRef(false)
  areLoaded.current ||= notifications.length > 0
  return <Suspense>{areLoaded.current && <Notifications />}</Suspense>
}
