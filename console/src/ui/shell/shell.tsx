import { Burger, Group, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { signOut } from '../../api/session.ts'
import { clearSessionEnded } from '../../api/session-ended.ts'
import { useCommands } from '../commands/commands.ts'
import { Keys } from '../commands/keys.tsx'
import { LazyPalette, openPalette } from '../commands/lazy-palette.tsx'
import { lazyPart } from '../lazy-part.ts'
import { showError } from '../show-error.ts'
import { navItems } from './nav-items.ts'
import { Navigation } from './navigation.tsx'
import { PageAnnouncer } from './page-announcer.tsx'
import { SessionEnded } from './session-ended.tsx'
import classes from './shell.module.css'

const ShortcutsSheet = lazyPart(() => import('../commands/shortcuts-sheet.tsx'), 'ShortcutsSheet')

/** The frame of every page: navigation, commands and shortcuts. */
export function Shell() {
  const [isMenuOpen, menu] = useDisclosure()
  const [isSheetOpen, sheet] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // The canvas needs the space, unless the user chose otherwise.
  const [isNarrow, setNarrow] = useState<boolean>()
  const isSlim = isNarrow ?? /^\/workflows\/./.test(path)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const switchScheme = () => setColorScheme(scheme === 'dark' ? 'light' : 'dark')
  const leave = async () => {
    try {
      await signOut()
    } catch (error) {
      showError('You weren’t signed out', error)
      return
    }
    // Also for requests that the service answers after it.
    clearSessionEnded()
    await navigate({ to: '/sign-in' })
    queryClient.clear()
  }
  useCommands([
    {
      id: 'shell.palette',
      title: 'Find anything',
      group: 'Everywhere',
      shortcuts: ['mod+K'],
      reach: 'everywhere',
      isHidden: true,
      run: openPalette,
    },
    { id: 'shell.shortcuts', title: 'Keyboard shortcuts', group: 'Everywhere', shortcuts: ['?'], run: sheet.open },
    {
      id: 'shell.scheme',
      title: scheme === 'dark' ? 'Switch to light' : 'Switch to dark',
      group: 'Everywhere',
      keywords: ['theme', 'dark', 'light'],
      run: switchScheme,
    },
    {
      id: 'shell.narrow',
      title: isSlim ? 'Expand the menu' : 'Collapse the menu',
      group: 'Everywhere',
      shortcuts: ['mod+B'],
      run: () => setNarrow(!isSlim),
    },
    { id: 'shell.signOut', title: 'Sign out', group: 'Everywhere', run: () => void leave() },
    ...navItems.map(({ to, label }) => ({
      id: `shell.to.${to}`,
      title: label,
      group: 'Go to',
      run: () => void navigate({ to }),
    })),
    {
      id: 'shell.reference',
      title: 'API reference',
      group: 'Go to',
      keywords: ['openapi', 'docs', 'swagger'],
      run: () => void window.open('/docs', '_blank', 'noopener'),
    },
  ])
  return (
    <div className={classes.shell} data-slim={isSlim || undefined}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Burger
          opened={isMenuOpen}
          onClick={menu.toggle}
          size="sm"
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
        />
        <Group gap={8}>
          <img src="/favicon.svg" alt="" width={22} height={22} />
          <Text fw={650}>Tintype</Text>
        </Group>
      </header>
      <nav className={classes.navbar} data-open={isMenuOpen || undefined} aria-label="Main">
        <Navigation
          path={path}
          isSlim={isSlim}
          isDark={scheme === 'dark'}
          onGo={menu.close}
          onSearch={openPalette}
          onShortcuts={sheet.open}
          onScheme={switchScheme}
          onLeave={() => void leave()}
        />
      </nav>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <PageAnnouncer path={path} />
      <SessionEnded onLeave={() => void leave()} />
      <Keys />
      <LazyPalette />
      <Suspense>{isSheetOpen && <ShortcutsSheet onClose={sheet.close} />}</Suspense>
    </div>
  )
}
