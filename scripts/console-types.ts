/**
 * Writes the console's API types from docs/openapi.json, by openapi-typescript. Only `tsc` and editors read them: a build of the console erases
 * types, so it needs neither this file nor the packages that make it. `npm ci` (prepare.js), `npm run check` and `npm run derive` run it.
 */
import './derive/typescript-5.ts'
import { writeFile } from 'node:fs/promises'

// After typescript-5.ts has run.
const { default: openApiTypes, astToString } = await import('openapi-typescript')
const types = await openApiTypes(new URL('../docs/openapi.json', import.meta.url))
await writeFile(
  new URL('../console/src/api/schema.d.ts', import.meta.url),
  `// Made from docs/openapi.json by scripts/console-types.ts.\n\n${astToString(types)}`,
)
