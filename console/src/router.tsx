/** The console's addresses. Every page comes in a chunk of its own. */

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
import { executionsSearch } from './executions/search.ts'
import { gallerySearch } from './gallery/search.ts'
import { ErrorPage, NotFoundPage } from './shell/error-page.tsx'
import { Shell } from './shell/shell.tsx'
import { storageSearch } from './storage/search.ts'
import { isRange, type Range } from './usage/days.ts'
import { versionsSearch } from './versions/search.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/(?!\/)/.test(to) ? { to } : {},
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
})

/** Everything else is for those who are signed in. */
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
  component: lazyRouteComponent(() => import('./pages/gallery.tsx'), 'GalleryPage'),
})

/** One workflow: its name, its draft, and the tabs below. */
const workflow = createRoute({
  getParentRoute: () => shell,
  path: '/workflows/$workflowId',
  component: lazyRouteComponent(() => import('./pages/workflow.tsx'), 'WorkflowPage'),
})
const editor = createRoute({
  getParentRoute: () => workflow,
  path: '/',
  // `focus`: a field that is to be shown, by its path, as an error names it.
  validateSearch: ({ focus }: Record<string, unknown>): { focus?: string } =>
    typeof focus === 'string' ? { focus } : {},
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'EditorPage'),
})
const run = createRoute({
  getParentRoute: () => workflow,
  path: '/run',
  // `from`: an execution whose parameters are taken again.
  validateSearch: ({ from }: Record<string, unknown>): { from?: string } => (typeof from === 'string' ? { from } : {}),
  component: lazyRouteComponent(() => import('./pages/run.tsx'), 'RunPage'),
})
const versions = createRoute({
  getParentRoute: () => workflow,
  path: '/versions',
  validateSearch: versionsSearch,
  component: lazyRouteComponent(() => import('./pages/versions.tsx'), 'VersionsPage'),
})
const code = createRoute({
  getParentRoute: () => workflow,
  path: '/api',
  component: lazyRouteComponent(() => import('./pages/code.tsx'), 'CodePage'),
})

const executions = createRoute({
  getParentRoute: () => shell,
  path: '/executions',
  validateSearch: executionsSearch,
  component: lazyRouteComponent(() => import('./pages/executions.tsx'), 'ExecutionsPage'),
})
const execution = createRoute({
  getParentRoute: () => shell,
  path: '/executions/$executionId',
  component: lazyRouteComponent(() => import('./pages/execution.tsx'), 'ExecutionPage'),
})
const storage = createRoute({
  getParentRoute: () => shell,
  path: '/storage',
  validateSearch: storageSearch,
  component: lazyRouteComponent(() => import('./pages/storage.tsx'), 'StoragePage'),
})
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  validateSearch: ({ days }: Record<string, unknown>): { days?: Range } => (isRange(days) ? { days } : {}),
  component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'UsagePage'),
})
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys.tsx'), 'KeysPage'),
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
      storage,
      usage,
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
