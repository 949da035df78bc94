/** Words for the terms of C2PA and IPTC. */
import type { CredentialAction } from '../../api/credentials.ts'
import { originTexts } from '../../ui/format.ts'

export type Origin = keyof typeof originTexts

const actionTexts: Record<string, string> = {
  'c2pa.color_adjustments': 'Colours adjusted',
  'c2pa.converted': 'Converted',
  'c2pa.created': 'Created',
  'c2pa.cropped': 'Cropped',
  'c2pa.drawing': 'Drawn',
  'c2pa.edited': 'Edited',
  'c2pa.filtered': 'Filtered',
  'c2pa.opened': 'Opened',
  'c2pa.orientation': 'Rotated or flipped',
  'c2pa.placed': 'Placed',
  'c2pa.published': 'Published',
  'c2pa.redacted': 'Redacted',
  'c2pa.removed': 'Removed',
  'c2pa.repackaged': 'Repackaged',
  'c2pa.resized': 'Resized',
  'c2pa.transcoded': 'Transcoded',
  'c2pa.unknown': 'Unknown change',
  'c2pa.watermarked': 'Watermarked',
}

/** Text of an action; for one of another program, its identifier. */
export function actionText({ action }: CredentialAction): string {
  return Object.hasOwn(actionTexts, action) ? (actionTexts[action] ?? action) : action
}

const sourceTypes: Record<string, { text: string; origin?: Origin }> = {
  algorithmicMedia: { text: 'Made by an algorithm, without an AI model' },
  composite: { text: 'Composed of several images' },
  compositeCapture: { text: 'Composed of several photos' },
  compositeSynthetic: { text: originTexts.composite, origin: 'composite' },
  compositeWithTrainedAlgorithmicMedia: { text: originTexts.composite, origin: 'composite' },
  digitalCapture: { text: 'Captured by a digital camera' },
  digitalCreation: { text: 'Created digitally' },
  humanEdits: { text: 'Edited by a person' },
  screenCapture: { text: 'Captured from a screen' },
  trainedAlgorithmicMedia: { text: originTexts.generated, origin: 'generated' },
}

function sourceTypeOf({ digitalSourceType: type = '' }: CredentialAction): { text: string; origin?: Origin } {
  const name = type.slice(type.lastIndexOf('/') + 1)
  return (Object.hasOwn(sourceTypes, name) ? sourceTypes[name] : undefined) ?? { text: name }
}

/** The digital source type of an action in words. Empty without one. */
export function sourceTypeText(action: CredentialAction): string {
  return sourceTypeOf(action).text
}

/** If the action says that a generative model made pixels. */
export function originOfAction(action: CredentialAction): Origin | undefined {
  return sourceTypeOf(action).origin
}

/** The use of an ingredient. */
export function relationshipText(relationship: string): string {
  if (relationship === 'parentOf') return 'Opened'
  if (relationship === 'componentOf') return 'Placed'
  return relationship === 'inputTo' ? 'Used as input' : relationship
}
