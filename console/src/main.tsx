import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.css'
import './tokens.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { isServiceUp } from './api/service-up.ts'
import { colorSchemeManager } from './color-scheme.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'
import { focusOnPage } from './ui/focus-on-page.ts'
import { LazyNotifications } from './ui/lazy-notifications.tsx'
import { forwardEarlyMenuKeys } from './ui/shell/early-menu-keys.ts'

/** The nonce with which the Content-Security-Policy allows inserted style sheets. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

// The service was updated while this page was open, and a chunk of the old build no longer exists: reload. Only once,
// because a chunk that is missing in the new build, too, would reload forever.
const freshMs = 10_000
window.addEventListener('vite:preloadError', async () => {
  if (performance.now() >= freshMs && (await isServiceUp())) window.location.reload()
})

router.subscribe('onRendered', ({ fromLocation, toLocation }) =>
  focusOnPage({ from: fromLocation?.pathname, to: toLocation.pathname }),
)

forwardEarlyMenuKeys()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <LazyNotifications />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
