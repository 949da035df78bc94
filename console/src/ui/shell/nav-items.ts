import { Activity, ChartColumn, Images, KeyRound, Workflow } from 'lucide-react'

/** The rooms of the console, in the order of the menu. */
export const navItems = [
  { to: '/workflows', label: 'Workflows', Icon: Workflow },
  { to: '/executions', label: 'Executions', Icon: Activity },
  { to: '/storage', label: 'Storage', Icon: Images },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/keys', label: 'API keys', Icon: KeyRound },
] as const
