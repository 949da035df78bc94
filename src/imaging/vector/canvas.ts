/** @napi-rs/canvas, loaded on first use. */
type CanvasModule = typeof import('@napi-rs/canvas')

let loading: Promise<CanvasModule> | undefined

export function loadCanvas(): Promise<CanvasModule> {
  // Fonts of the machine would draw characters that no included font has, so that images would differ from machine to machine.
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1'
  loading ??= import('@napi-rs/canvas')
  return loading
}
