/**
 * Usage: node scripts/trim-packages.js [node_modules]. Removes files of installed packages that nothing loads, which is half of an installation:
 * source maps, other builds of the same code, and types that no source imports. `npm ci` runs it (prepare.js), and so does install-image.sh.
 * Plain JavaScript, as prepare.js is.
 */
import { existsSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Paths start with the name of the package. Licences stay. */
const unused = [
  // Maps, sources for debuggers, and builds for the runtime Bare.
  /\.map$/,
  /\.bare$/,
  /(^|\/)CHANGELOG\.md$/i,
  /^(ai|@ai-sdk\/[\w-]+)\/(docs|src)\//,
  /^(@tanstack\/[\w-]+|@reduxjs\/toolkit|es-toolkit|zod|zrender)\/src\//,
  // Of Node only the program.
  /^node-[a-z]+(-[a-z]+)?-(x64|arm64)\/(include|share)\//,
  // Other builds: for CommonJS, for browsers without a bundler, for old browsers.
  /^@aws-sdk\/[\w-]+\/(dist-es|dist-types\/ts3\.4)\//,
  // prom-client requires the CommonJS build of @opentelemetry/api.
  /^@opentelemetry\/(?!api\/dist\/)[\w-]+\/(src\/|dist\/.*\.(cjs|d\.cts)$|build\/(esm|esnext)\/)/,
  /^@cantoo\/pdf-lib\/(cjs\/.*\.js$|dist\/[^/]+$|src\/|ts3\.4\/)/,
  /^@mantine\/[\w-]+\/cjs\//,
  /^@modelcontextprotocol\/(client|core|server)\/.*\.(cjs|d\.cts)$/,
  /^@smithy\/[\w-]+\/dist-es\//,
  /^@tanstack\/[\w-]+\/(build\/legacy|dist\/cjs)\//,
  /^bwip-js\/(barcode\.ps|demo|examples|src|dist\/bwip-js(-gen|-rn|-min)?\.m?js|dist\/bwip-js-node\.js)/,
  /^echarts\/(?!types\/|core\.d\.ts|LICENSE|NOTICE|licenses\/|package\.json|dist\/echarts\.min\.js|dist\/package\.json)/,
  /^playwright-core\/lib\/vite\//,
  /^recharts\/umd\//,
  /^swagger-ui-dist\/(swagger-ui(-es-bundle|-es-bundle-core|-standalone-preset)?\.js$)/,
  /^zrender\/(dist|build)\//,
  // Fonts: files are found by name, and the console imports one style sheet.
  /^@fontsource(-variable)?\/[\w-]+\/(scss\/|(?!index)[\w-]+\.css|files\/.*\.woff$)/,
  // Types that no source imports.
  /^@redocly\/config\/.*\.d\.ts$/,
  /^es-toolkit\/.*\.d\.m?ts$/,
  /^lucide-react\/dynamic(IconImports)?\.d\.m?ts$/,
  /^lucide-react\/dist\/lucide-react\.(pre|suf)fixed\.d\.ts$/,
]

const types = /\.d\.[cm]?ts$/

const root = process.argv[2] ?? fileURLToPath(new URL('../node_modules', import.meta.url))
/** Production packages: nothing checks the sources there. */
const hasTypes = existsSync(join(root, 'typescript'))
trimFolder(root, '')

function isUnused(path) {
  // Our own package, in the container.
  if (path.startsWith('tintype/')) return false
  return unused.some((pattern) => pattern.test(path)) || (!hasTypes && types.test(path))
}

/** True if nothing is left in the folder. */
function trimFolder(folder, path) {
  let isEmpty = true
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    const at = join(folder, name)
    if (entry.isDirectory()) {
      // Nested packages have the same rules.
      const isRemoved = trimFolder(at, name === 'node_modules' ? '' : `${path}${name}/`)
      if (isRemoved) rmdirSync(at)
      else isEmpty = false
    } else if (entry.isFile() && isUnused(`${path}${name}`)) unlinkSync(at)
    else isEmpty = false
  }
  return isEmpty
}
