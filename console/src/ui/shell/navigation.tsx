import { ActionIcon, Center, Group, Stack, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, Braces, FlaskConical, Keyboard, LogOut, type LucideIcon, Moon, Search, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { loadPalette } from '../commands/lazy-palette.tsx'
import { useDocsUrl } from '../docs-link.tsx'
import { navItems } from './nav-items.ts'
import classes from './shell.module.css'

interface NavigationProps {
  path: string
  /** Shows icons only, with tooltips. */
  isSlim: boolean
  isDark: boolean
  onGo(): void
  onSearch(): void
  onShortcuts(): void
  onScheme(): void
  onLeave(): void
}

const iconSize = 18

export function Navigation({ path, isSlim, isDark, onGo, ...on }: NavigationProps) {
  const { data: session } = useQuery(sessionQuery)
  const docsUrl = useDocsUrl('')
  const tip = (label: string, child: ReactNode) => (
    <Tooltip key={label} label={label} position="right" disabled={!isSlim}>
      {child}
    </Tooltip>
  )
  // The label exists for screen readers in both widths.
  const link = (label: string) => ({ className: classes.link ?? '', 'aria-label': label })
  const content = (label: string, Icon: LucideIcon) => (
    <>
      <Icon size={iconSize} aria-hidden />
      {!isSlim && label}
    </>
  )
  return (
    <>
      <Link to="/workflows" className={classes.brand} onClick={onGo} aria-label="Tintype: workflows">
        <img src="/favicon.svg" alt="" width={26} height={26} />
        {!isSlim && <Text fw={650}>Tintype</Text>}
      </Link>
      {session?.key.test && <TestMode isSlim={isSlim} />}
      <Stack gap={2} flex={1}>
        {tip(
          'Find anything',
          <button
            type="button"
            {...link('Find anything')}
            onClick={on.onSearch}
            onPointerEnter={loadPalette}
            onFocus={loadPalette}
          >
            {content('Find anything', Search)}
          </button>,
        )}
        {navItems.map(({ to, label, Icon }) =>
          tip(
            label,
            <Link to={to} {...link(label)} onClick={onGo} data-active={path.startsWith(to) || undefined}>
              {content(label, Icon)}
            </Link>,
          ),
        )}
      </Stack>
      {docsUrl !== undefined &&
        tip(
          'Documentation',
          <a href={docsUrl} target="_blank" {...link('Documentation')}>
            {content('Documentation', BookOpen)}
          </a>,
        )}
      {tip(
        'API reference',
        <a href="/docs" target="_blank" {...link('API reference')}>
          {content('API reference', Braces)}
        </a>,
      )}
      {!isSlim && session && (
        <div className={classes.account}>
          <Text size="sm" fw={550} truncate>
            {session.account.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {session.account.plan} · {session.key.prefix}…
          </Text>
        </div>
      )}
      <Group gap={2} justify={isSlim ? 'center' : 'flex-start'}>
        <IconAction label={isDark ? 'Switch to light' : 'Switch to dark'} onClick={on.onScheme}>
          {isDark ? <Sun size={iconSize} /> : <Moon size={iconSize} />}
        </IconAction>
        <IconAction label="Keyboard shortcuts" onClick={on.onShortcuts}>
          <Keyboard size={iconSize} />
        </IconAction>
        <IconAction label="Sign out" onClick={on.onLeave}>
          <LogOut size={iconSize} />
        </IconAction>
      </Group>
    </>
  )
}

/** Says that the key of the session is a test key. */
function TestMode({ isSlim }: { isSlim: boolean }) {
  return (
    <Tooltip
      label="Models are imitated, and outputs are marked. To publish workflows or change settings, sign in with a live key."
      position="right"
      multiline
      w={260}
    >
      {isSlim ? (
        <Center role="img" aria-label="Test mode" c="copper" h={36}>
          <FlaskConical size={iconSize} aria-hidden />
        </Center>
      ) : (
        <div className={classes.test} role="note">
          <FlaskConical size={iconSize} aria-hidden />
          <div>
            <Text size="sm" fw={600}>
              Test mode
            </Text>
            <Text size="xs">Fake models, marked outputs</Text>
          </div>
        </div>
      )}
    </Tooltip>
  )
}

function IconAction({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
