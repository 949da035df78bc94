/**
 * Everything except operations that affects pixels on this machine: cached results are shared between machines with
 * the same fingerprint.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, versions } from 'node:process'
import { loadSharp } from '../../imaging/raster/sharp.ts'
import { runtimePackages } from '../../local-models/registry.ts'

/**
 * Packages that draw, lay out and compute. Their versions are pinned; a new version may round a pixel differently.
 */
const drawing =
  /^(@napi-rs\/canvas|@fontsource|sharp$|echarts$|bwip-js$|uqr$|simplex-noise$|twemoji|fontkitten$|bidi-js$|blurhash$)/

let known: Promise<string> | undefined

/** Computed once per process. */
export function fingerprint(): Promise<string> {
  known ??= identify()
  return known
}

async function identify(): Promise<string> {
  const sharp = await loadSharp()
  const { vips } = sharp.versions
  const runtime = runtimePackages.map(({ name, version }) => `${name} ${version}`)
  return [`cpu ${arch}`, `libvips ${vips}`, `icu ${versions.icu}`, ...runtime, ...packages()].join(', ')
}

function packages(): string[] {
  const require = createRequire(import.meta.url)
  const { dependencies } = JSON.parse(readFileSync(require.resolve('../../../package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return Object.entries(dependencies).flatMap(([name, version]) => (drawing.test(name) ? [`${name} ${version}`] : []))
}
