/** MediaPipe's selfie segmentation: people only, fast. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackagedModel } from './define-model.ts'
import { onnxFromTflite } from './tflite-model.ts'

const file = 'selfie_segmentation.tflite'

export const selfie: PackagedModel = {
  name: 'selfie',
  operation: 'remove-background',
  summary: 'Cuts out people, in milliseconds, with an edge of 256 pixels that follows the picture. Nothing but people.',
  package: {
    name: '@mediapipe/selfie_segmentation',
    version: '0.1.1675465747',
    integrity: 'sha512-IxYxNhwE5VwOm52L1yoFWYLP7q9Pd+NJjzOC5tlepfvEGaY3o9hslhUrx9BgseqdfZtKSDtd/4NfCSMjNzQalA==',
    keep: ['package.json', 'README.md', file],
  },
  licence: 'Apache-2.0',
  permissive: true,
  bytes: 250_000,
  graphs: {
    matte: {
      load: async (folder) => onnxFromTflite(await readFile(join(folder, file))),
      input: { name: 'input', layout: 'NCHW', mean: [0, 0, 0], deviation: [255, 255, 255] },
      outputs: { output: 'levels' },
    },
  },
}

/** Side of the input in pixels. */
export const selfieSide = 256
