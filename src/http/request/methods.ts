/** The methods of each path, for 405 responses and their `Allow` header. */
import { didYouMean } from '../../../shared/suggest.ts'
import { show } from '../../../shared/text.ts'
import { Fault } from '../../errors.ts'

export interface PathMethods {
  /** URL in the router's form: `/v1/workflows/:workflowId`. */
  url: string
  methods: readonly string[]
}

/** The methods of the path that matches best, undefined if none does. A trailing slash is ignored, as it is in routing. */
export type MethodsOf = (path: string) => readonly string[] | undefined

/** Literal segments win over parameters (OpenAPI 3.1, "Path Templating Matching"). */
export function methodsOfPaths(paths: readonly PathMethods[]): MethodsOf {
  const byUrl = Map.groupBy(paths, ({ url }) => url)
  const known = [...byUrl]
    .map(([url, routes]) => ({
      parameters: url.split(':').length,
      pattern: patternOf(url),
      methods: [...new Set(routes.flatMap(({ methods }) => methods))].sort(),
    }))
    .sort((a, b) => a.parameters - b.parameters)
  return (path) => {
    const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    return known.find(({ pattern }) => pattern.test(bare))?.methods
  }
}

/**
 * Methods that a literal path does not have, but a parameter path that matches it has: `GET /workflows/execute` would
 * otherwise read the workflow with the id "execute".
 */
export function shadowedMethods(paths: readonly PathMethods[]): PathMethods[] {
  const literal = [...new Set(paths.map(({ url }) => url).filter((url) => !url.includes(':')))]
  const methodsOf = methodsOfPaths(paths)
  return literal.flatMap((url) => {
    const others = paths.filter((other) => other.url.includes(':') && patternOf(other.url).test(url))
    const literalMethods = methodsOf(url) ?? []
    const methods = [...new Set(others.flatMap((other) => other.methods))].filter(
      (method) => !literalMethods.includes(method),
    )
    return methods.length > 0 ? [{ url, methods }] : []
  })
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): Fault {
  const message = `${method} is not supported by ${show(path).slice(1, -1)}. Use ${allowed.join(', ')}.`
  return new Fault('method_not_allowed', message, { allow: allowed })
}

/** Longer paths get no suggestion: no path of the API is as long. */
const suggestedCharsMax = 200

/** A 404 with the most similar path that has this method: `/v1/workflow/wf_1` becomes `/v1/workflows/wf_1`. */
export function pathNotFound(method: string, path: string, paths: readonly PathMethods[]): Fault {
  const known = paths.filter(({ methods }) => methods.includes(method)).map(({ url }) => url)
  const found = path.length > suggestedCharsMax ? '' : suggestPath(path, known)
  const hint = found || 'See the paths in /docs.'
  return new Fault('not_found', `${method} ${show(path).slice(1, -1)} does not exist. ${hint}`)
}

function suggestPath(path: string, known: readonly string[]): string {
  const withoutSlash = path.replace(/\/$/, '')
  const missingPrefix = `/v1${withoutSlash}`
  if (known.some((url) => patternOf(url).test(missingPrefix))) return `Did you mean "${missingPrefix}"?`
  const segments = withoutSlash.split('/')
  // Parameters are filled with the segments of the request, so that only literal segments count.
  const filled = known
    .map((url) => url.split('/'))
    .filter((parts) => parts.length === segments.length && (segments[1] !== 'v1' || parts[1] === 'v1'))
    .map((parts) => parts.map((part, i) => (part.startsWith(':') ? segments[i] : part)).join('/'))
  return didYouMean(withoutSlash, new Set(filled))
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+')}$`)
}
