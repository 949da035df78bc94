/** The marks of AI images: in every format, with other settings, and in the packets of other programs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { digitalSourceTypes, type Origin } from '../../domain/images/origin.ts'
import { outputFormats } from '../../domain/workflows/output.ts'
import type { ImageValue } from '../types.ts'
import { imageFromBytes, pixelsOf } from './image.ts'
import { framesOf } from './read/frames.ts'
import { chunksOf } from './read/png-chunks.ts'
import { sniff } from './read/sniff.ts'
import { loadSharp } from './sharp.ts'
import { contextFor, painted } from './test-images.ts'
import { encode } from './write/encode.ts'
import { shrink } from './write/shrink.ts'
import { markedXmp, originInXmp } from './xmp.ts'

const context = contextFor()
const plain = painted(40, 30, (x, y) => [x * 6, y * 8, 100])
const soft = painted(40, 30, (x, y) => [x * 6, y * 8, 100, 55 + x * 5])
const generated: ImageValue = { ...plain, origin: 'generated' }
const animated: ImageValue = {
  ...generated,
  animation: { delaysMs: [80, 80], loops: 0, frames: [plain, painted(40, 30, (x, y) => [y * 8, x * 6, 9])] },
}

async function originAfter(image: ImageValue, settings: Parameters<typeof encode>[1]): Promise<Origin | undefined> {
  const { bytes } = await encode(image, settings, context)
  return (await imageFromBytes(bytes, context)).origin
}

describe('every format carries the mark, and reading the file gives the origin again', () => {
  for (const format of outputFormats) {
    test(format, async () => {
      for (const origin of ['generated', 'composite'] as const)
        for (const image of [plain, soft])
          for (const metadata of ['strip', 'keep'] as const)
            if (metadata === 'strip' || format !== 'gif')
              assert.equal(await originAfter({ ...image, origin }, { format, metadata }), origin)
      assert.equal(await originAfter(plain, { format }), undefined)
    })
  }

  for (const format of ['png', 'webp', 'gif'] as const) {
    test(`an animated ${format}, whose frames stay the same`, async () => {
      const { bytes } = await encode(animated, { format }, context)
      const read = await imageFromBytes(bytes, context)
      assert.equal(read.origin, 'generated')
      const { origin: _, ...unmarked } = animated
      const before = await imageFromBytes((await encode(unmarked, { format }, context)).bytes, context)
      const pixelsOfAll = async (image: ImageValue) =>
        Promise.all((await framesOf(image, context)).map(async (frame) => (await pixelsOf(frame, context)).data))
      assert.deepEqual(await pixelsOfAll(read), await pixelsOfAll(before))
    })
  }
})

test('the pixels and the format of a marked file are those of the file without a mark', async () => {
  for (const format of outputFormats) {
    const [marked, before] = await Promise.all([
      encode(generated, { format }, context),
      encode(plain, { format }, context),
    ])
    assert.equal(sniff(marked.bytes), format)
    const [a, b] = await Promise.all(
      [marked, before].map(async ({ bytes }) => (await pixelsOf(await imageFromBytes(bytes, context), context)).data),
    )
    assert.deepEqual(a, b)
    assert.ok(
      marked.bytes.length - before.bytes.length < 1_200,
      `${format}: ${marked.bytes.length - before.bytes.length}`,
    )
  }
})

test('a PNG has the packet once, uncompressed in iTXt, also if it keeps the metadata of the source', async () => {
  const sharp = await loadSharp()
  const source = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    .withXmp(markedXmp(undefined, 'composite'))
    .png()
    .toBuffer()
  const image = await imageFromBytes(source, context)
  assert.equal(image.origin, 'composite')
  for (const settings of [{ format: 'png' }, { format: 'png', metadata: 'keep' }] as const) {
    const { bytes } = await encode({ ...image, origin: 'generated' }, settings, context)
    const texts = [...chunksOf(bytes)].filter(({ data }) => data.includes('XML:com.adobe.xmp'))
    assert.deepEqual(
      texts.map(({ type }) => type),
      ['iTXt'],
    )
    assert.ok(texts[0]?.data.includes(digitalSourceTypes.generated))
    assert.ok(!texts[0]?.data.includes(digitalSourceTypes.composite))
  }
})

test('a size limit includes the mark', async () => {
  const noisy = painted(200, 200, (x, y) => [(x * 31 + y * 17) % 256, (x * 7) % 256, (y * 13) % 256])
  for (const format of ['jpeg', 'webp', 'png', 'gif', 'avif'] as const) {
    const { bytes } = await encode({ ...noisy, origin: 'generated' }, { format, maxBytes: 12_000 }, context)
    assert.ok(bytes.length <= 12_000, `${format}: ${bytes.length}`)
    assert.equal((await imageFromBytes(bytes, context)).origin, 'generated')
  }
})

test('a preview carries the mark', async () => {
  const { bytes } = await shrink({ ...plain, origin: 'composite' }, context)
  assert.equal((await imageFromBytes(bytes, context)).origin, 'composite')
})

describe('a packet of another program', () => {
  const packet = (inner: string) =>
    Buffer.from(
      `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">${inner}</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>\0\0`,
    )
  const camera = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture'

  test('keeps its other properties, and loses another source type in any form', () => {
    for (const inner of [
      `<rdf:Description rdf:about="" e:DigitalSourceType="${camera}" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:title="A &amp; &quot;B&quot; &lt;C&gt; Ä"/>`,
      `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:title="A &amp; &quot;B&quot; &lt;C&gt; Ä"><e:DigitalSourceType>${camera}</e:DigitalSourceType></rdf:Description>`,
      `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:title="A &amp; &quot;B&quot; &lt;C&gt; Ä"><e:DigitalSourceType><rdf:Alt><rdf:li>${camera}</rdf:li></rdf:Alt></e:DigitalSourceType></rdf:Description>`,
    ]) {
      const marked = markedXmp(packet(inner), 'composite')
      assert.equal(attributeIn(marked, 'dc:title'), 'A & "B" <C> Ä')
      assert.ok(!marked.includes(camera), marked)
      assert.equal(marked.split(digitalSourceTypes.composite).length, 2)
      assert.ok(marked.startsWith('<?xpacket begin') && marked.endsWith('<?xpacket end="w"?>'))
    }
  })

  test('with an empty RDF element gets the mark', () => {
    const empty =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
    const marked = markedXmp(Buffer.from(empty), 'generated')
    assert.equal(originInXmp(Buffer.from(marked)), 'generated')
    attributeIn(marked, 'none')
  })

  test('that is damaged is replaced', () => {
    for (const text of ['', 'none', '<a>', packet('<rdf:Description').toString(), '<a xmlns:b="c" b:d="e"/>', '&x;']) {
      const marked = markedXmp(Buffer.from(text), 'generated')
      assert.equal(originInXmp(Buffer.from(marked)), 'generated')
      attributeIn(marked, 'none')
    }
  })

  test('with more levels than any program writes is replaced, and one that is too large is an error of the encoder', async () => {
    const deep = Buffer.from(`<x xmlns:x="y">${'<x:a>'.repeat(6_000)}${'</x:a>'.repeat(5_000)}</x>`)
    const marked = markedXmp(deep, 'generated')
    assert.equal(originInXmp(Buffer.from(marked)), 'generated')
    assert.ok(!marked.includes('<x:a>'))
    const large: ImageValue = { ...generated, metadata: { xmp: Buffer.alloc(70_000, ' ') } }
    await assert.rejects(encode(large, { format: 'jpeg', metadata: 'keep' }, context), /XMP metadata of the source has/)
  })

  test('states an origin also by its name alone, and in UTF-16', () => {
    for (const [text, origin] of [
      ['<e:DigitalSourceType>compositeWithTrainedAlgorithmicMedia</e:DigitalSourceType>', 'composite'],
      ['<rdf:li>trainedAlgorithmicMedia</rdf:li>', 'generated'],
      ['<a>untrainedAlgorithmicMediaOther</a>', undefined],
    ] as const) {
      assert.equal(originInXmp(Buffer.from(text)), origin)
      assert.equal(originInXmp(Buffer.from(text, 'utf16le')), origin)
    }
  })

  test('states an origin only for types that mean generative AI', () => {
    const stated = (type: string) =>
      originInXmp(Buffer.from(`<a>http://cv.iptc.org/newscodes/digitalsourcetype/${type}</a>`))
    assert.equal(stated('trainedAlgorithmicMedia'), 'generated')
    assert.equal(stated('compositeWithTrainedAlgorithmicMedia'), 'composite')
    assert.equal(stated('compositeSynthetic'), 'composite')
    for (const type of ['digitalCapture', 'algorithmicMedia', 'algorithmicallyEnhanced', 'humanEdits', ''])
      assert.equal(stated(type), undefined)
  })
})

/** The value of an attribute. Throws if the text is not well-formed. */
function attributeIn(xml: string, name: string): string | undefined {
  let value: string | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ attributes }) => {
    value ??= attributes[name]?.value
  })
  parser.write(xml).close()
  return value
}
