import {
  Activity,
  BadgeCheck,
  ChartColumn,
  Images,
  KeyRound,
  Palette,
  Rows3,
  ScrollText,
  Webhook,
  Workflow,
} from 'lucide-react'

/** The pages in the main menu, in order. */
export const navItems = [
  { to: '/workflows', label: 'Workflows', Icon: Workflow },
  { to: '/executions', label: 'Executions', Icon: Activity },
  { to: '/batches', label: 'Batches', Icon: Rows3 },
  { to: '/storage', label: 'Storage', Icon: Images },
  { to: '/brand', label: 'Brand', Icon: Palette },
  { to: '/verify', label: 'Verify', Icon: BadgeCheck },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/webhooks', label: 'Webhooks', Icon: Webhook },
  { to: '/audit', label: 'Audit log', Icon: ScrollText },
  { to: '/keys', label: 'API keys', Icon: KeyRound },
] as const
