import { extname } from 'node:path'

/** Types of the console's files, and the list of what is served, so a package such as `mrmime` can't replace it. */
const mediaTypes: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Undefined if the type of the file is unknown. */
export function mediaTypeOf(name: string): string | undefined {
  const ending = extname(name)
  return Object.hasOwn(mediaTypes, ending) ? mediaTypes[ending] : undefined
}
