/** The content that the path of a signed URL names: `/i/card@live.webp`, or `/i/img_....webp`. */
import { type DeliveryExtension, deliveryExtensions } from '../../domain/delivery/delivery.ts'

export type Target =
  | { kind: 'workflow'; workflow: string; version?: number; channel?: string; extension: DeliveryExtension }
  | { kind: 'image'; imageId: string; extension: DeliveryExtension }

const form =
  /^\/i\/(?:(img_[0-9a-z]{20,60})|([a-z][a-z0-9-]{0,62}|wf_[0-9a-z]{20,60})(?:@(?:([1-9]\d{0,8})|([a-z][a-z0-9-]{0,62})))?)\.([a-z]{2,4})$/

/** Undefined if it names nothing. */
export function targetOf(path: string): Target | undefined {
  const [, imageId, workflow, version, channel, extension = ''] = form.exec(path) ?? []
  if (!isExtension(extension)) return undefined
  if (imageId !== undefined) return { kind: 'image', imageId, extension }
  if (workflow === undefined) return undefined
  return {
    kind: 'workflow',
    workflow,
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(channel === undefined ? {} : { channel }),
    extension,
  }
}

function isExtension(text: string): text is DeliveryExtension {
  return text === 'auto' || Object.hasOwn(deliveryExtensions, text)
}
