/** The request of a live preview, and the image of its response. */
import type { Frame } from '../../../../shared/frames.ts'
import type { DraftPreview, PreviewOptions } from '../../api/drafts.ts'
import { withoutLayout } from '../document/layout-record.ts'
import type { LivePreview, Watch } from './live-preview.ts'
import type { Inputs } from './model-results.ts'
import { declaredValues } from './parameter-values.ts'
import { declaredVariations, type Variations } from './variations.ts'

/** Cards show at most this size. */
const cardSide = 512

export function requestOf(
  { document, values, variations }: Inputs & { variations: Variations },
  { node, exactly, watches }: { node: string; exactly: boolean; watches: readonly Watch[] },
): PreviewOptions {
  const maxSide = Math.max(cardSide, ...watches.map(({ maxSide = 0 }) => maxSide))
  return {
    document: withoutLayout(document),
    node,
    parameters: declaredValues(document, values),
    variations: declaredVariations(document, variations),
    ...(watches.some(({ hasCarets }) => hasCarets) && { carets: true }),
    ...(exactly ? { quality: 'exact' } : { quality: 'fast', maxSide }),
  }
}

export function imageOf({ width, height, image, frames }: DraftPreview) {
  return {
    url: `data:image/${image.format};base64,${image.data}`,
    width,
    height,
    frames: (frames ?? []) as unknown as readonly Frame[],
  } satisfies Partial<LivePreview>
}
