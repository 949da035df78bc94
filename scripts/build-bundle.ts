/**
 * Usage: npm run build:bundle [-- --out FOLDER]. Builds `dist`, the program that the npm package and the container run: src/ and most of its
 * packages in few files, because the loading of 2,200 modules is most of the CPU time of a start. A clone runs src/.
 *
 * Modules keep their place: src/a/b.ts finds files as if it were dist/a/b.js. So `new URL('../../package.json', import.meta.url)` is right in
 * both, a program that runs in its own process is an entry (`new URL('./child.ts', import.meta.url)`), and other files next to a module
 * are copied.
 */
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')

/** Packages that stay outside: with native code, with files that they read, or large and loaded by few services. */
const external =
  /^(@aws-sdk\/|@contentauth\/c2pa-wasm|@embedpdf\/pdfium|@fontsource|@napi-rs\/canvas|@takumi-rs\/core|echarts|pg$|sharp$|swagger-ui-dist|twemoji-colr-font)/

export async function buildBundle(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: join(source, 'main.ts') },
    platform: 'node',
    external: (id) => isBuiltin(id) || external.test(id),
    plugins: [keepPlaces()],
    logLevel: 'warn',
  })
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await bundle.close()
}

/** Paths next to a module, and the place of the module itself. */
const places = /(?:new URL|require)\('([^']+)'(?:, import\.meta\.url)?\)|import\.meta\.url/g

function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null
      const place = `new URL('./${relative(source, id)}', import.meta.url).href`
      return code.replaceAll(places, (match: string, path?: string) => {
        if (path === undefined) return place
        const file = join(dirname(id), path)
        // A path outside of src, or the name of a package.
        if (!file.startsWith(source) || !existsSync(file)) {
          if (path.startsWith('./')) this.error(`${path} is not a file next to ${relative(root, id)}`)
          return match.replace('import.meta.url', place)
        }
        const name = relative(source, file)
        if (!name.endsWith('.ts')) {
          this.emitFile({ type: 'asset', fileName: name, source: readFileSync(file) })
          return match.replace('import.meta.url', place)
        }
        const fileName = name.replaceAll('/', '-').replace(/ts$/, 'js')
        this.emitFile({ type: 'chunk', id: file, fileName })
        return match.replace(path, relative(dirname(id), join(source, fileName))).replace('import.meta.url', place)
      })
    },
  }
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } }).values
  await buildBundle(out)
}
