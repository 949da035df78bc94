/**
 * Writes the API types of the console and the client from docs/openapi.json, by openapi-typescript. Only `tsc` and editors read them: a build of
 * the console erases types, so it needs neither these files nor the packages that make them. `npm ci` (prepare.js), `npm run check` and `npm run derive` run it.
 */
import './derive/typescript-5.ts'
import { writeFile } from 'node:fs/promises'

// After typescript-5.ts has run.
const { default: openApiTypes, astToString } = await import('openapi-typescript')
const types = await openApiTypes(new URL('../docs/openapi.json', import.meta.url))
const text = `// Made from docs/openapi.json by scripts/console-types.ts.\n\n${astToString(types)}`
for (const path of ['../console/src/api/schema.d.ts', '../client/src/schema.ts'])
  await writeFile(new URL(path, import.meta.url), text)
