/**
 * Usage: npm run build:bundle [-- --out FOLDER]. Builds `dist`, the program that the npm package and the container run: src/ and most of its
 * packages in few files, because the loading of 2,200 modules is most of the CPU time of a start. A clone runs src/.
 *
 * Modules keep their place: src/a/b.ts finds files as if it were dist/a/b.js. So `new URL('../../package.json', import.meta.url)` is right in
 * both, a program that runs in its own process is an entry (`new URL('./child.ts', import.meta.url)`), and other files next to a module
 * are copied.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')

/** Packages that stay outside, and that the npm package depends on: with native code, or with files that they read. */
export const external =
  /^(@contentauth\/c2pa-wasm|@embedpdf\/pdfium|@fontsource|@napi-rs\/canvas|@takumi-rs\/core|pg$|sharp$|twemoji-colr-font)/

export async function buildBundle(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  /** Files of packages that are copied. */
  const copied: string[] = []
  const bundle = await rolldown({
    input: { main: join(source, 'main.ts') },
    platform: 'node',
    external: (id) => isBuiltin(id) || external.test(id),
    // `module`, a condition for bundlers alone, would select files that trim-packages.js removes.
    resolve: { conditionNames: ['node'] },
    plugins: [keepPlaces(copied), keepLicences(copied)],
    logLevel: 'warn',
    onLog(level, log, report) {
      // Rolldown would leave the import to the installed package, which doesn't have the module.
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log)
    },
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

/** Files of packages, paths next to a module, and the place of the module itself. */
const places =
  /import\.meta\.resolve\('([^']+)'\)|(?:new URL|require)\('([^']+)'(?:, import\.meta\.url)?\)|import\.meta\.url/g

function keepPlaces(copied: string[]): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.')) return null
      const place = `new URL('./${relative(source, id)}', import.meta.url).href`
      return code.replaceAll(places, (match: string, ofPackage?: string, path?: string) => {
        if (ofPackage !== undefined) {
          if (external.test(ofPackage)) return match
          const copy = fileURLToPath(import.meta.resolve(ofPackage))
          const fileName = basename(copy)
          copied.push(copy)
          this.emitFile({ type: 'asset', fileName, source: readFileSync(copy) })
          return `new URL('./${fileName}', import.meta.url).href`
        }
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

/** The licences of the packages in the bundle, whose folders the npm package doesn't have. */
function keepLicences(copied: string[]): Plugin {
  return {
    name: 'keep-licences',
    generateBundle() {
      const inPackage = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
      const folders = new Set([...this.getModuleIds(), ...copied].flatMap((id) => inPackage.exec(id)?.[0] ?? []))
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        const files = globSync(['*', 'licenses/*'], { cwd: folder, withFileTypes: true }).filter(
          (entry) => entry.isFile() && /licen[cs]e|notice|copying/i.test(entry.name),
        )
        const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').trim())
        return [`${name} ${version} (${license})`, ...texts].join('\n\n')
      })
      const source = `Parts of these packages are in this folder.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
    },
  }
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } }).values
  await buildBundle(out)
}
