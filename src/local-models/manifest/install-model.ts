/** Installs a model with a manifest: the file is copied or downloaded, checked, and run once before it becomes available. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, failure } from '../../errors.ts'
import type { JobContext } from '../../imaging/raster/jobs.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import type { Processes } from '../../processes/processes.ts'
import { facesByManifest } from '../faces.ts'
import { matteOf } from '../matte.ts'
import { ModelProblem } from '../messages.ts'
import { enlarge, manifestEnlarger } from '../tiles.ts'
import { checkOnnx } from './check-onnx.ts'
import { modelFile } from './load-verified.ts'
import type { Manifest } from './manifest.ts'
import { type InstalledManifest, type ManifestModel, manifestModel } from './manifest-model.ts'
import { announceModels, manifestFile, manifestFolder, manifestModels } from './manifest-models.ts'

export interface InstallModelOptions {
  /** Folder of all local models. */
  folder: string
  manifest: Manifest
  source: { url: string } | { path: string }
  download: (url: string, bytesMax: number) => AsyncIterable<Uint8Array>
  /** The model runs once in one of them. */
  processes: Processes
  /** Called at the start of each step, with a sentence for the user. */
  onStep: (sentence: string) => void
}

/** Throws a fault that says why the model was refused; then nothing is installed, and a model of this name stays as it was. */
export async function installModel(options: InstallModelOptions): Promise<ManifestModel> {
  const { manifest, onStep } = options
  const parent = join(options.folder, manifestFolder)
  requireRoom(manifest.name)
  await mkdir(parent, { recursive: true })
  const staging = await mkdtemp(join(parent, '.adding-'))
  try {
    const path = join(staging, modelFile)
    const { sha256, bytes } = await store(options, path)
    checkOnnx(path)
    onStep('Running the model once.')
    await runOnce(manifestModel(manifest, { path, sha256, bytes }), options.processes)
    const installed: InstalledManifest = { manifest, sha256, bytes }
    await writeFile(join(staging, manifestFile), `${JSON.stringify(installed, null, 2)}\n`)
    await replace(join(parent, manifest.name), staging)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  announceModels(options.folder)
  const model = manifestModels().get(manifest.name)
  if (model === undefined) throw new Error(`${manifest.name} is missing after its installation`)
  return model
}

function requireRoom(name: string): void {
  const installed = [...manifestModels().values()].filter(({ file }) => file !== undefined)
  if (installed.length < limits.onnxModelsMax || installed.some((model) => model.name === name)) return
  throw failure('limit_exceeded', `${limits.onnxModelsMax} ONNX models are installed, the maximum. Remove one first.`)
}

/** Copies the file while its hash is computed. */
async function store(options: InstallModelOptions, target: string): Promise<{ sha256: string; bytes: number }> {
  const { manifest, source, onStep } = options
  const bytesMax = limits.onnxFileBytesMax
  onStep('url' in source ? `Downloading ${source.url}.` : `Copying ${source.path}.`)
  const chunks = 'url' in source ? options.download(source.url, bytesMax) : await readFileOf(source.path)
  const digest = createHash('sha256')
  let bytes = 0
  const handle = await open(target, 'wx')
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      // A copied file can grow meanwhile.
      if (bytes > bytesMax) throw tooLarge()
      digest.update(chunk)
      await handle.write(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const sha256 = digest.digest('hex')
  if (manifest.sha256 !== undefined && manifest.sha256.toLowerCase() !== sha256) {
    throw failure(
      'input_invalid',
      `The file was rejected: its SHA-256 is ${sha256}, but the manifest of "${manifest.name}" expects ${manifest.sha256}. Check its origin. If the manifest is wrong, correct "sha256".`,
    )
  }
  return { sha256, bytes }
}

function tooLarge(): Fault {
  return failure(
    'limit_exceeded',
    `The file has more than ${limits.onnxFileBytesMax} bytes, the maximum. Use a smaller model.`,
  )
}

async function readFileOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw failure('input_not_found', `The model file ${path} can't be read (${error.code}). Check "file".`)
  })
  // A pipe or a device could have no end.
  if (!stats.isFile()) throw failure('input_invalid', `${path} is not a file. Name the ONNX file in "file".`)
  if (stats.size > limits.onnxFileBytesMax) throw tooLarge()
  return createReadStream(path)
}

const trialSide = 64

/**
 * Runs the model with an image in grey: a manifest that doesn't match its model is refused now, not in the first
 * execution.
 */
async function runOnce(model: ManifestModel, processes: Processes): Promise<void> {
  const data = Buffer.alloc(trialSide * trialSide * 3, 128)
  const image: Pixels = { data, width: trialSide, height: trialSide, channels: 3 }
  const context: JobContext = {
    signal: new AbortController().signal,
    secondsLeft: () => limits.modelSeconds,
    processes,
  }
  try {
    await runFor(model, image, context)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { cause } = error
    const reported =
      cause instanceof Error && !(cause instanceof ModelProblem)
        ? ` The runtime reports: ${firstLine(cause.message)}`
        : ''
    throw failure('input_invalid', `"${model.name}" was refused. ${error.message}${reported}`, { cause: error })
  }
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 500)
}

async function runFor(model: ManifestModel, image: Pixels, context: JobContext): Promise<void> {
  const { manifest } = model
  switch (manifest.task) {
    case 'mask':
      await matteOf(image, { model, manifest }, context)
      break
    case 'upscale':
      await enlarge(image, manifestEnlarger({ model, manifest }), context)
      break
    case 'detect':
      await facesByManifest(image, { model, manifest }, 0, context)
      break
  }
}

/** A folder that isn't empty can't be replaced in one step. A run that starts in between reports the model as not installed. */
async function replace(target: string, staging: string): Promise<void> {
  const old = `${staging}-old`
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(staging, target)
  await rm(old, { recursive: true, force: true })
}

/** Returns false if it isn't installed in this folder. */
export async function removeModel(folder: string, name: string): Promise<boolean> {
  const target = join(folder, manifestFolder, name)
  if (!existsSync(target)) return false
  // A rename removes it completely, or not at all.
  const trash = join(folder, manifestFolder, `.removing-${name}`)
  await rm(trash, { recursive: true, force: true })
  await rename(target, trash)
  await rm(trash, { recursive: true })
  announceModels(folder)
  return true
}
