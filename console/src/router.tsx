/** The routes of the console. Each page is a separate chunk. */

import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { versionsSearch } from './editor/versions/search.ts'
import { auditSearch } from './features/audit/search.ts'
import { brandSearch } from './features/brand/search.ts'
import { executionsSearch } from './features/executions/search.ts'
import { gallerySearch } from './features/gallery/search.ts'
import { storageSearch } from './features/storage/search.ts'
import { isRange, type Range } from './features/usage/days.ts'
import { verifySearch } from './features/verify/search.ts'
import { webhooksSearch } from './features/webhooks/search.ts'
import { cursorSearch } from './ui/cursors.ts'
import { ErrorPage, NotFoundPage } from './ui/shell/error-page.tsx'
import { Shell } from './ui/shell/shell.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/(?!\/)/.test(to) ? { to } : {},
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** All other pages need a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    return { session }
  },
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad() {
    throw redirect({ to: '/workflows' })
  },
})

const gallery = createRoute({
  getParentRoute: () => shell,
  path: '/workflows',
  validateSearch: gallerySearch,
  component: lazyRouteComponent(() => import('./features/gallery/gallery-page.tsx'), 'GalleryPage'),
})

/** A workflow: its header and its tabs. */
const workflow = createRoute({
  getParentRoute: () => shell,
  path: '/workflows/$workflowId',
  component: lazyRouteComponent(() => import('./features/workflow/workflow-page.tsx'), 'WorkflowPage'),
})
const editor = createRoute({
  getParentRoute: () => workflow,
  path: '/',
  // `focus`: the path of the field to focus, as in an error. `execution`: the execution to show, instead of the last run.
  validateSearch: ({ focus, execution }: Record<string, unknown>): { focus?: string; execution?: string } => ({
    ...(typeof focus === 'string' ? { focus } : {}),
    ...(typeof execution === 'string' ? { execution } : {}),
  }),
  component: lazyRouteComponent(() => import('./features/editor/editor-page.tsx'), 'EditorPage'),
})
const run = createRoute({
  getParentRoute: () => workflow,
  path: '/run',
  // `from`: the execution whose parameters are used again.
  validateSearch: ({ from }: Record<string, unknown>): { from?: string } => (typeof from === 'string' ? { from } : {}),
  component: lazyRouteComponent(() => import('./features/run/run-page.tsx'), 'RunPage'),
})
const versions = createRoute({
  getParentRoute: () => workflow,
  path: '/versions',
  validateSearch: versionsSearch,
  component: lazyRouteComponent(() => import('./features/versions/versions-page.tsx'), 'VersionsPage'),
})
const code = createRoute({
  getParentRoute: () => workflow,
  path: '/api',
  component: lazyRouteComponent(() => import('./features/code/code-page.tsx'), 'CodePage'),
})

const executions = createRoute({
  getParentRoute: () => shell,
  path: '/executions',
  validateSearch: executionsSearch,
  component: lazyRouteComponent(() => import('./features/executions/executions-page.tsx'), 'ExecutionsPage'),
})
const execution = createRoute({
  getParentRoute: () => shell,
  path: '/executions/$executionId',
  component: lazyRouteComponent(() => import('./features/executions/execution-page.tsx'), 'ExecutionPage'),
})
const batches = createRoute({
  getParentRoute: () => shell,
  path: '/batches',
  validateSearch: ({ cursor }: Record<string, unknown>) => cursorSearch(cursor),
  component: lazyRouteComponent(() => import('./features/batches/batches-page.tsx'), 'BatchesPage'),
})
const batch = createRoute({
  getParentRoute: () => shell,
  path: '/batches/$batchId',
  component: lazyRouteComponent(() => import('./features/batches/batch-page.tsx'), 'BatchPage'),
})
const bin = createRoute({
  getParentRoute: () => shell,
  path: '/storage/bin',
  component: lazyRouteComponent(() => import('./features/storage/bin-page.tsx'), 'BinPage'),
})
const storage = createRoute({
  getParentRoute: () => shell,
  path: '/storage',
  validateSearch: storageSearch,
  component: lazyRouteComponent(() => import('./features/storage/storage-page.tsx'), 'StoragePage'),
})
const brand = createRoute({
  getParentRoute: () => shell,
  path: '/brand',
  validateSearch: brandSearch,
  component: lazyRouteComponent(() => import('./features/brand/brand-page.tsx'), 'BrandPage'),
})
const verify = createRoute({
  getParentRoute: () => shell,
  path: '/verify',
  validateSearch: verifySearch,
  component: lazyRouteComponent(() => import('./features/verify/verify-page.tsx'), 'VerifyPage'),
})
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  validateSearch: ({ days }: Record<string, unknown>): { days?: Range } => (isRange(days) ? { days } : {}),
  component: lazyRouteComponent(() => import('./features/usage/usage-page.tsx'), 'UsagePage'),
})
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import('./features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./features/audit/audit-page.tsx'), 'AuditPage'),
})
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => import('./features/keys/keys-page.tsx'), 'KeysPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      gallery,
      workflow.addChildren([editor, run, versions, code]),
      executions,
      execution,
      batches,
      batch,
      storage,
      bin,
      brand,
      verify,
      usage,
      webhooks,
      audit,
      keys,
    ]),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
