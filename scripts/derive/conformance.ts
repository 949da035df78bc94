import { groups, type Operation } from '../../src/operations/define.ts'
import { code, pageHead, table } from './markdown.ts'

/** The behaviour of every operation for every kind of image; test/golden/conformance.test.ts checks it. */
export function conformancePage(operations: readonly Operation[]): string {
  return [
    pageHead('Image handling and color', 'the declarations in src/operations'),
    'The service decodes all images in one place, so every operation gets images in the same form:\n',
    table(
      ['Source image', 'Handling'],
      [
        [
          'EXIF orientation, 1 to 8',
          'The image is rotated and mirrored upright. `width` and `height` are those of the upright image.',
        ],
        [
          'ICC profile (Display P3, Adobe RGB, CMYK, ...)',
          'Colors are converted to sRGB. A damaged profile is ignored. `output.profile` can convert the output.',
        ],
        ['CMYK', 'Converted to sRGB, with the profile if the image has one.'],
        ['Grayscale, with or without alpha', 'Converted to RGB.'],
        ['16 bits per channel', 'Rounded to 8 bits.'],
        ['Palette', 'Converted to RGB.'],
        ['Alpha', 'Kept, not premultiplied.'],
        [
          'EXIF, XMP, IPTC, density',
          'Passed along the first input of each node. Written to the output only with `output.metadata: keep`.',
        ],
        ['Damaged file', 'Rejected with `input_invalid`. An image is never decoded partly.'],
      ],
    ),
    'Each operation declares how it handles transparency and animations. A test checks the declarations with sample photos in all of these forms:\n',
    table(
      ['Operation', 'Transparency', 'Animation'],
      groups.flatMap((group) =>
        operations
          .filter((operation) => operation.group === group)
          .map(({ id, alpha, frames }) => [`[${code(id)}](operations/${id}.md)`, alpha, frames]),
      ),
    ),
    [
      '- **Transparency.** `kept`: each pixel keeps its alpha. `moved`: alpha moves with the pixels and is mixed premultiplied, so that',
      '  edges don’t get dark. Opaque images stay opaque, unless a param sets a transparent color. `made`: see the page of the operation.',
      '- **Animation.** `each`: processes each frame separately, and keeps delays and loops. `whole`: processes all frames together. `first`: uses the',
      '  first frame only. `none`: the operation has no image input.\n',
    ].join('\n'),
  ].join('\n')
}
