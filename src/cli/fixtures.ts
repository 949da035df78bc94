/** The sources of workflows that run without a service: files in place of image ids and URLs. Nothing is fetched. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { show } from '../../shared/text.ts'
import { failure, invalidRequest } from '../errors.ts'
import { readDocument } from './workflow-files.ts'

export type OpenSource = (source: string) => Promise<{ bytes: Buffer }>

/** Given a workflow file, opens what its `image` nodes name. */
export type Fixtures = (workflowFile: string) => OpenSource

/**
 * `./photo.jpg` and `../photo.jpg` are paths relative to the workflow file. Any other source comes from the folder `fixtures`:
 * through the map in `fixtures.yaml` (source -> file), or, for an image id, a file with that name.
 */
export async function readFixtures(folder: string): Promise<Fixtures> {
  const home = join(folder, 'fixtures')
  const names = await readdir(home).catch((): string[] => [])
  const files = new Map(names.filter((name) => name.startsWith('img_')).map((name) => [parse(name).name, name]))
  if (names.includes(mapName)) {
    for (const [source, file] of Object.entries(await readMap(join(home, mapName)))) files.set(source, file)
  }
  return (workflowFile) => async (source) => {
    if (/^\.\.?\//.test(source)) return read(resolve(dirname(workflowFile), source), source)
    const file = files.get(source)
    if (file !== undefined) return read(join(home, file), source)
    throw failure(
      'input_not_found',
      `No fixture found for ${show(source)}. Add a file for it to fixtures/${mapName}, or use a path that starts with ./ relative to the workflow file.`,
    )
  }
}

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
