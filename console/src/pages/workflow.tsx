import { Outlet } from '@tanstack/react-router'

export function WorkflowPage() {
  return <Outlet />
}
