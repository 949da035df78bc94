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
        [
          'Alpha',
          'Kept, not premultiplied. Colors of an AVIF that are multiplied with its alpha (`prem`) are divided by it.',
        ],
        [
          'Animated GIF, WebP, PNG',
          'All frames, drawn as browsers draw them: places of the canvas that no frame covers, or whose frame was removed, are transparent.',
        ],
        [
          'Animated AVIF (`avis`)',
          'Its still image, with a warning of the step. Without a still image, it is rejected.',
        ],
        [
          'EXIF, XMP, IPTC, density',
          'Passed along the first input of each node. Written to the output only with `output.metadata: keep`.',
        ],
        [
          'SVG',
          'Drawn at 96 pixels for an inch and 16 for `em`, in any encoding. A warning of the step names CSS and elements that are not drawn as in browsers. SVGZ is rejected.',
        ],
        ['Damaged file', 'Rejected with `input_invalid`. An image is never decoded partly.'],
      ],
    ),
    'Files declare their colors in several ways. Colors are converted to sRGB, of 8 bits, and colors outside of sRGB become its nearest ones:\n',
    table(
      ['Declaration of color', 'Handling'],
      [
        ['ICC profile in PNG, JPEG, WebP, AVIF, TIFF, PSD', 'Converted, unless the PNG has `cICP`.'],
        [
          'PNG `cICP`',
          'Converted, before any other declaration of the file (PNG, third edition, 4.3). Code points are those of ITU-T H.273. BT.709, BT.601 and BT.2020 have a gamma of 2.4. A limited range is expanded.',
        ],
        ['PNG `sRGB`', 'sRGB, before `gAMA` and `cHRM`.'],
        [
          'PNG `gAMA`, with or without `cHRM`',
          'Converted, if it has no profile. A gamma of 1/2.2 with the primaries of sRGB, or without primaries, is sRGB.',
        ],
        ['PNG `cHRM` without `gAMA`', 'Ignored, as by browsers.'],
        [
          'AVIF `nclx`',
          'Converted, if it has no profile. The curves of BT.709, BT.601 and BT.2020 are read as sRGB, as by browsers. A limited range is expanded, also in a grayscale AVIF.',
        ],
        [
          'PQ and HLG (HDR), by `cICP` or `nclx`',
          'Mapped to sRGB as by Chromium, with a warning of the step: the curve of SMPTE ST 2094-50 for a white of 203 and a peak of 1,000 cd/m², by the largest of red, green and blue in BT.2020. `mDCV`, `cLLI`, `mdcv` and `clli` are ignored.',
        ],
        ['Gain map of an Ultra HDR JPEG', 'The SDR image is used. Operations that only move pixels keep the gain map.'],
        ['Code points or primaries that are unspecified or unknown', 'Those of sRGB.'],
        [
          'EXIF `ColorSpace`, TIFF `TransferFunction` and `PrimaryChromaticities`, and no declaration',
          'sRGB, as in browsers. An Adobe RGB image needs its profile.',
        ],
        ['Colors of an SVG', 'sRGB.'],
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
