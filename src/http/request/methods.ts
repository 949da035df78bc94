/** The methods of each path, for 405 responses and their `Allow` header. */
import { Fault } from '../../errors.ts'

export interface PathMethods {
  /** In the router's form: `/v1/workflows/:workflowId`. */
  url: string
  methods: readonly string[]
}

/** The methods of the path that matches best, undefined if none does. A trailing slash is ignored, as it is in routing. */
export type MethodsOf = (path: string) => readonly string[] | undefined

/** Literal segments win over parameters (OpenAPI 3.1, "Path Templating Matching"). */
export function methodsOfPaths(paths: readonly PathMethods[]): MethodsOf {
  const byUrl = Map.groupBy(paths, ({ url }) => url)
  const known = [...byUrl]
    .map(([url, each]) => ({
      parameters: url.split(':').length,
      pattern: patternOf(url),
      methods: [...new Set(each.flatMap(({ methods }) => methods))].sort(),
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
    const others = paths.filter((each) => each.url.includes(':') && patternOf(each.url).test(url))
    const own = methodsOf(url) ?? []
    const methods = [...new Set(others.flatMap((each) => each.methods))].filter((method) => !own.includes(method))
    return methods.length > 0 ? [{ url, methods }] : []
  })
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): Fault {
  const message = `${path} does not support ${method}. Use ${allowed.join(', ')}.`
  return new Fault('method_not_allowed', message, { allow: allowed })
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+')}$`)
}
