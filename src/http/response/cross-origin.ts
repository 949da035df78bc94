import type { Route } from '../define-route.ts'

/** Headers of public images, of their errors too: a script of any page can read status, headers and bytes. The URL is the permission. */
export const crossOriginHeaders: Record<string, string> = {
  'access-control-allow-origin': '*',
  // In addition to those that every script can read, such as Content-Type.
  'access-control-expose-headers': 'Content-Range, ETag, Retry-After, Tintype-Status, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The headers of an error whose path or method no route has: below the paths of public images, those of their errors. */
export function errorHeadersNear(url: string, routes: readonly Route[]): Route['errorHeaders'] {
  const isNear = ({ path }: Route) => `${url}/`.startsWith(path.slice(0, path.indexOf('{')))
  return routes.find((route) => route.root !== undefined && route.errorHeaders && isNear(route))?.errorHeaders
}
