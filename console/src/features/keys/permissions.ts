import type { Permission } from '../../api/keys.ts'

/** Enough to run workflows in the console and with a shared link, and to upload images for them. */
export const defaultPermissions: readonly Permission[] = [
  'workflows:read',
  'workflows:execute',
  'storage:read',
  'storage:write',
  'projects:read',
]

/** The permissions with their descriptions. */
export const permissions: { id: Exclude<Permission, 'all'>; label: string; summary: string }[] = [
  { id: 'workflows:read', label: 'Read workflows', summary: 'List and get workflows and executions' },
  { id: 'workflows:execute', label: 'Execute workflows', summary: 'Execute workflows and read executions' },
  { id: 'workflows:write', label: 'Change workflows', summary: 'Save, publish and delete them' },
  { id: 'workflows:draft', label: 'Save drafts', summary: 'Create and save drafts, without publishing them' },
  { id: 'storage:read', label: 'Read images', summary: 'List and get them' },
  { id: 'storage:write', label: 'Change images', summary: 'Upload and delete them' },
  { id: 'projects:read', label: 'Read projects', summary: 'List them' },
  { id: 'projects:write', label: 'Create projects', summary: 'Create new projects' },
  { id: 'webhooks:read', label: 'Read webhooks', summary: 'List webhook endpoints and deliveries' },
  {
    id: 'webhooks:write',
    label: 'Manage webhooks',
    summary: 'Create, change, test and delete webhook endpoints, read their secrets and send deliveries again',
  },
  { id: 'audit:read', label: 'Read the audit log', summary: 'List and export the changes of the account' },
]
