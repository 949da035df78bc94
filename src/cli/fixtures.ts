/** The sources of workflows that run without a service: files in place of image ids and URLs. Nothing is fetched. */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { show } from '../../shared/text.ts'
import type { UsedBrandValues } from '../domain/accounts/brand.ts'
import { failure, invalidRequest } from '../errors.ts'
import { readBrandFile } from './brand-file.ts'
import { replaceImagePaths } from './image-paths.ts'
import { readDocument, readWorkflow } from './workflow-files.ts'

export type OpenSource = (source: string) => Promise<{ bytes: Buffer }>

/** A workflow document with image ids in place of paths, and the files of its sources. */
export interface WorkflowFile {
  document: unknown
  open: OpenSource
  /** Undefined without a brand file. */
  brand: UsedBrandValues | undefined
}

/** `home`: the folder that the ids of its images depend on. Default: that of the file. */
export type Fixtures = (workflowFile: string, home?: string) => Promise<WorkflowFile>

/** Image id -> path, of all documents whose examples run together. Each document has its own files at the same paths. */
export type ImagePaths = Map<string, string>

/**
 * `./photo.jpg` and `../photo.jpg` are paths relative to the workflow file. Any other source comes from the folder `fixtures`:
 * through the map in `fixtures.yaml` (source -> file), or, for an image id, a file with that name. The brand values are in `brand.yaml`.
 */
export async function readFixtures(folder: string, paths: ImagePaths = new Map()): Promise<Fixtures> {
  const folderOfFiles = join(folder, 'fixtures')
  const names = await readdir(folderOfFiles).catch((): string[] => [])
  const files = new Map(names.filter((name) => name.startsWith('img_')).map((name) => [parse(name).name, name]))
  if (names.includes(mapName)) {
    for (const [source, file] of Object.entries(await readMap(join(folderOfFiles, mapName)))) files.set(source, file)
  }
  const brand = await readBrand(folder, (id, path) => files.set(id, join('..', path)))
  return async (workflowFile, home = dirname(workflowFile)) => {
    const { document } = await readWorkflow(workflowFile)
    await replaceImagePaths(document, async (imagePath) => {
      const path = fromHome(home, workflowFile, imagePath)
      const id = imageIdOf(path)
      paths.set(id, path)
      return id
    })
    return {
      document,
      brand,
      async open(source) {
        const path = paths.get(source) ?? source
        if (/^\.\.?\//.test(path)) return read(resolve(home, path), path)
        const file = files.get(source)
        if (file !== undefined) return read(join(folderOfFiles, file), source)
        throw failure(
          'input_not_found',
          `No fixture found for ${show(source)}. Add a file for it to fixtures/${mapName}, or use a path that starts with ./ relative to the workflow file.`,
        )
      },
    }
  }
}

/** A path in a file of another folder, as a path in `home`. */
function fromHome(home: string, workflowFile: string, path: string): string {
  if (resolve(home) === resolve(dirname(workflowFile))) return path
  const moved = relative(home, resolve(dirname(workflowFile), path)).replaceAll('\\', '/')
  return moved.startsWith('../') ? moved : `./${moved}`
}

/** `add`: for each image of the brand, with its path relative to the folder. */
async function readBrand(
  folder: string,
  add: (id: string, path: string) => void,
): Promise<UsedBrandValues | undefined> {
  const file = join(folder, brandFileName)
  if (!existsSync(file)) return undefined
  const values = await readBrandFile(file, async (path) => {
    const id = imageIdOf(`${brandFileName} ${path}`)
    add(id, path)
    return id
  })
  return Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]))
}

/** An id in the form of the ids of stored images, which parameters of format `image` accept. */
function imageIdOf(path: string): string {
  return `img_${hash('sha256', path).slice(0, 28)}`
}

const brandFileName = 'brand.yaml'
const mapName = 'fixtures.yaml'

async function readMap(path: string): Promise<Record<string, string>> {
  const map = await readDocument(path)
  const fits = typeof map === 'object' && map !== null && Object.values(map).every((file) => typeof file === 'string')
  if (!fits)
    throw invalidRequest([{ path, message: 'must be a map of sources (image ids or URLs) to files in its folder' }])
  return map as Record<string, string>
}

async function read(path: string, source: string): Promise<{ bytes: Buffer }> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw failure('input_not_found', `The file of ${show(source)} can't be read (${cause.code}).`)
  })
  return { bytes }
}
