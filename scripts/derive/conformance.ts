import { groups, type Operation } from '../../src/operations/define.ts'
import { code, pageHead, table } from './markdown.ts'

/** The behaviour of every operation for every kind of image; test/golden/conformance.test.ts checks it. */
export function conformancePage(operations: readonly Operation[]): string {
  return [
    pageHead('What becomes of a picture', 'the declarations in src/operations'),
    'What holds for all operations, because images are decoded in one place before any of them sees a pixel:\n',
    table(
      ['of a source', 'what becomes of it'],
      [
        [
          'EXIF orientation, 1 to 8',
          'The picture is turned and mirrored as it is to be seen; width and height are those that are seen.',
        ],
        [
          'ICC profile (Display P3, Adobe RGB, CMYK, ...)',
          'Colours are converted to sRGB by it. A profile that is damaged is left out. `output.profile` may convert back.',
        ],
        ['CMYK', 'Converted to sRGB, by its profile where there is one.'],
        ['grey, with or without alpha', 'The same grey as RGB.'],
        ['16 bits a channel', 'Rounded to 8 bits.'],
        ['palette', 'Its colours.'],
        ['alpha', 'Kept, not premultiplied.'],
        [
          'EXIF, XMP, IPTC, density',
          'Travel with the picture along the first input of each node, and are written with `output.metadata: keep` only.',
        ],
        ['damage', 'Refused with `input_invalid`: never half a picture.'],
      ],
    ),
    'What each operation declares, and a test holds it to, with the photographs of the samples in all of these forms:\n',
    table(
      ['operation', 'transparency', 'animation'],
      groups.flatMap((group) =>
        operations
          .filter((operation) => operation.group === group)
          .map(({ id, alpha, frames }) => [`[${code(id)}](operations/${id}.md)`, alpha, frames]),
      ),
    ),
    [
      'Transparency. **kept**: every pixel keeps the alpha that it had. **moved**: alpha goes where the pixels go and is mixed',
      'premultiplied, so that no edge gets dark; what was opaque stays opaque (unless a param asks for a transparent colour).',
      '**made**: the operation decides, and its page says how.\n',
    ].join('\n'),
    [
      'Animation. **each**: every frame by itself, with the delays and loops kept. **whole**: all frames together. **first**:',
      'only the first frame is used. **none**: the operation has no image input.\n',
    ].join('\n'),
  ].join('\n')
}
