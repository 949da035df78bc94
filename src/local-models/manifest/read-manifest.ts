/** Reads the manifest of a model that the operator adds. */
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LineCounter, parseDocument } from 'yaml'
import { Fault, failure, type Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Manifest, manifestIssues } from './manifest.ts'

/** YAML or JSON, with the defaults of all fields. Throws a fault with every problem. */
export async function readManifest(path: string): Promise<Manifest> {
  const value = parsed(await textOf(path), path)
  const issues = manifestIssues(value)
  if (issues.length > 0) throw invalid(path, issues)
  return value as Manifest
}

/** Location of the file of a manifest: an https URL, or a path, which is relative to the folder of the manifest. */
export function locationOf({ file }: Manifest, manifestPath: string): { url: string } | { path: string } {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(file)?.[1]?.toLowerCase()
  if (scheme === undefined) return { path: resolve(dirname(manifestPath), file) }
  const url = URL.parse(file)
  if (url?.protocol === 'file:' && url.host === '') return { path: fileURLToPath(url) }
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return { url: file }
  throw invalid(manifestPath, [
    { path: 'file', message: 'must be an https URL without a user name, a file URL, or a path, such as ./model.onnx' },
  ])
}

async function textOf(path: string): Promise<string> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw failure('input_not_found', `The manifest ${path} can't be read (${error.code}). Check the path.`)
  })
  try {
    const buffer = Buffer.alloc(limits.onnxManifestBytesMax + 1)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0).catch((error: NodeJS.ErrnoException) => {
      throw failure('input_not_found', `The manifest ${path} can't be read (${error.code}). Check the path.`)
    })
    if (bytesRead <= limits.onnxManifestBytesMax) return buffer.toString('utf8', 0, bytesRead)
    throw failure('limit_exceeded', `The manifest ${path} has more than ${limits.onnxManifestBytesMax} bytes.`)
  } finally {
    await handle.close()
  }
}

/** Aliases could expand a small file to a huge value. */
const aliasesMax = 20

function parsed(text: string, path: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0])
    throw failure(
      'input_invalid',
      `The manifest ${path} is not valid YAML: line ${line}, column ${col}: ${problem.message}.`,
    )
  }
  try {
    return document.toJS({ maxAliasCount: aliasesMax })
  } catch (error) {
    throw failure(
      'input_invalid',
      `The manifest ${path} can't be used: ${(error as Error).message}. Write it without aliases.`,
    )
  }
}

function invalid(path: string, issues: Issue[]): Fault {
  return new Fault('invalid_request', `The manifest ${path} is invalid. Correct it, and add the model again.`, {
    issues,
  })
}
