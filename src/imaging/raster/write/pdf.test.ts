import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it, test } from 'node:test'
import type { PdfSettings } from '../../../domain/workflows/outputs.ts'
import { layoutPage } from '../../../domain/workflows/page-layout.ts'
import type { ImageValue } from '../../types.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { contextFor, noise, painted, pixelAt, withFile } from '../test-images.ts'
import { bindPages, encodePage } from './pdf.ts'

const context = contextFor()
const red = painted(200, 100, (x) => (x < 100 ? [220, 20, 30] : [20, 20, 220]))
const soft = painted(100, 200, (_, y) => [0, 128, 0, y < 100 ? 0 : 255])

async function pdfOf(images: ImageValue[], settings: PdfSettings = {}, origin?: 'generated' | 'composite') {
  const pages = await Promise.all(
    images.map((image) => encodePage(image, layoutPage(settings, image), settings, context)),
  )
  return bindPages(pages, origin)
}

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'buffer' })
  return { status, stdout, text: `${stdout}${stderr}`, isMissing: error !== undefined }
}

const missing = ['pdfinfo', 'pdftoppm', 'qpdf'].filter((name) => run(name, '--version').isMissing)
const skip = missing.length > 0 && `${missing.join(' and ')} not installed: run scripts/install-test-tools.sh`

describe('other programs read a PDF:', { skip }, () => {
  it('pages, sizes and no errors', async () => {
    for (const lossless of [false, true]) {
      const pdf = await pdfOf([red, soft, red], { pageSize: 'A5', margin: 5, density: 150, lossless })
      await withFile(pdf, async (path) => {
        const checked = run('qpdf', '--check', path)
        assert.equal(checked.status, 0, checked.text)
        const { text } = run('pdfinfo', '-l', '3', path)
        assert.match(text, /Producer: +Tintype/)
        assert.match(text, /Pages: +3/)
        assert.match(text, /Page +1 size: +595\.\d+ x 419\.\d+ pts/)
        assert.match(text, /Page +2 size: +419\.\d+ x 595\.\d+ pts/)
        assert.doesNotMatch(text, /Error|JavaScript: +yes/)
      })
    }
  })

  it('the pixels of each page, on white', async () => {
    for (const lossless of [false, true]) {
      const pdf = await pdfOf([red, soft], { density: 72, margin: 25.4 / 72, lossless })
      await withFile(pdf, async (path) => {
        const drawn = run('pdftoppm', '-r', '72', '-png', '-f', '1', '-l', '1', path)
        const page = await pixelsOf(await imageFromBytes(drawn.stdout, context), context)
        assert.deepEqual([page.width, page.height], [202, 102])
        near(pixelAt(page, 0, 50), [255, 255, 255])
        near(pixelAt(page, 50, 50), [220, 20, 30])
        near(pixelAt(page, 150, 50), [20, 20, 220])
        const second = run('pdftoppm', '-r', '72', '-png', '-f', '2', path)
        const other = await pixelsOf(await imageFromBytes(second.stdout, context), context)
        near(pixelAt(other, 50, 50), [255, 255, 255])
        near(pixelAt(other, 50, 150), [0, 128, 0])
      })
    }
  })
})

function near(actual: number[], expected: number[]): void {
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(value - (actual[i] ?? -99)) <= 3, `${actual}`)
}

test('an image has no more pixels than the page shows at its density, and is never enlarged', async () => {
  const sizeAt = async (density: number) => {
    const { width, height } = await encodePage(red, layoutPage({ pageSize: 'A6', density }, red), { density }, context)
    return [width, height]
  }
  // A6 is 5.83 inches wide in landscape.
  assert.deepEqual(await sizeAt(20), [117, 59])
  assert.deepEqual(await sizeAt(1_000), [200, 100])
})

test('the same pages give the same bytes, and the quality of the JPEG decides the size', async () => {
  const image = await imageFromBytes(await (await noise(300, 200)).png().toBuffer(), context)
  const [first, second] = [await pdfOf([image, image]), await pdfOf([image, image])]
  assert.ok(first.equals(second))
  assert.ok((await pdfOf([image], { quality: 30 })).length < first.length / 4)
})

test('AI images are marked in the metadata of the document and in each page', async () => {
  const made: ImageValue = { ...red, origin: 'generated' }
  for (const lossless of [false, true]) {
    const marked = (await pdfOf([made], { lossless }, 'generated')).toString('latin1')
    assert.match(marked, /\/Type \/Metadata/)
    assert.match(marked, /digitalsourcetype\/trainedAlgorithmicMedia/)
  }
  const plain = (await pdfOf([red])).toString('latin1')
  assert.doesNotMatch(plain, /digitalsourcetype|\/Metadata/)
})
