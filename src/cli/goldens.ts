/** The pictures that examples are held to, in `golden/<workflow>/<example>`: lossless, so that they are what was seen. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'

export const goldenFormats = ['png', 'webp'] as const
export type GoldenFormat = (typeof goldenFormats)[number]

export interface Golden {
  bytes: Buffer
  format: GoldenFormat
}

export interface Goldens {
  read(name: string): Promise<Golden | undefined>
  /** Stores an image, and removes one of another format. */
  write(name: string, golden: Golden): Promise<void>
  /** Names of pictures that none of these examples has. */
  unused(names: ReadonlySet<string>): Promise<string[]>
  remove(name: string): Promise<void>
}

export function goldensIn(folder: string): Goldens {
  const home = join(folder, 'golden')
  const fileOf = (name: string, format: GoldenFormat) => join(home, `${name}.${format}`)
  const remove = async (name: string) => {
    for (const format of goldenFormats) await rm(fileOf(name, format), { force: true })
  }
  return {
    async read(name) {
      for (const format of goldenFormats) {
        const bytes = await readFile(fileOf(name, format)).catch(() => undefined)
        if (bytes) return { bytes, format }
      }
      return undefined
    },
    async write(name, { bytes, format }) {
      await remove(name)
      await mkdir(dirname(fileOf(name, format)), { recursive: true })
      await writeFile(fileOf(name, format), bytes)
    },
    async unused(names) {
      const files = await readdir(home, { recursive: true }).catch((): string[] => [])
      return files
        .map((file) => file.replaceAll('\\', '/'))
        .filter((file) => goldenFormats.some((format) => file.endsWith(`.${format}`)))
        .map((file) => join(parse(file).dir, parse(file).name).replaceAll('\\', '/'))
        .filter((name) => !names.has(name))
        .sort()
    },
    remove,
  }
}
