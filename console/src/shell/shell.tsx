import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Stack,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Activity, BookOpen, ChartColumn, Images, KeyRound, LogOut, Moon, Sun, Workflow } from 'lucide-react'
import { signOut } from '../api/session.ts'
import classes from './shell.module.css'

const places = [
  { to: '/workflows', label: 'Workflows', Icon: Workflow },
  { to: '/executions', label: 'Executions', Icon: Activity },
  { to: '/storage', label: 'Storage', Icon: Images },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/keys', label: 'API keys', Icon: KeyRound },
] as const

/** The frame of every page: where one is, and where one can go. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const leave = async () => {
    await signOut()
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={isOpen ? 'Close the menu' : 'Open the menu'} />
        <Text fw={650}>Tintype</Text>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main">
        <Group px="xs" py={6} mb="xs" gap={8} visibleFrom="sm">
          <img src="/favicon.svg" alt="" width={24} height={24} />
          <Text fw={650}>Tintype</Text>
        </Group>
        <Stack gap={2} flex={1}>
          {places.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              active={path.startsWith(to)}
              onClick={close}
              className={classes.link ?? ''}
            />
          ))}
        </Stack>
        <NavLink
          component="a"
          href="/docs"
          target="_blank"
          label="API reference"
          leftSection={<BookOpen size={18} aria-hidden />}
          className={classes.link ?? ''}
        />
        <Group gap={4} px={4} pt="xs">
          <Tooltip label={scheme === 'dark' ? 'Light' : 'Dark'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={scheme === 'dark' ? 'Switch to light' : 'Switch to dark'}
              onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
            >
              {scheme === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Sign out">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Sign out" onClick={() => void leave()}>
              <LogOut size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </AppShell.Navbar>
      <AppShell.Main className={classes.main ?? ''}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
