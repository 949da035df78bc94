/** @napi-rs/canvas, loaded on first use. */
type CanvasModule = typeof import('@napi-rs/canvas')

let loading: Promise<CanvasModule> | undefined

export function loadCanvas(): Promise<CanvasModule> {
  loading ??= import('@napi-rs/canvas')
  return loading
}
