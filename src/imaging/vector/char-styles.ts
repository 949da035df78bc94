/** Resolves styled runs to characters with fonts: one style for all runs that look the same. */
import { unsplit } from './emoji-font.ts'
import { type Faces, type FontContext, facesFor } from './fonts.ts'
import { reportMissing } from './missing-glyphs.ts'
import { emojiFace } from './packaged-fonts.ts'
import { presentations } from './prepare-text.ts'
import type { Run, RunStyle } from './runs.ts'
import type { CharStyle, TextStyle } from './text-style.ts'

export interface StyledText {
  chars: Run<CharStyle>[]
  /** Style of the entire text. */
  plain: CharStyle
  /** Releases the fonts of the account. */
  release(): void
}

/** Throws `input_invalid` for an unknown font, and for missing characters if the style says so. */
export async function withFaces(runs: Run<RunStyle>[], style: TextStyle, context: FontContext): Promise<StyledText> {
  const texts = new Map<string, string>()
  const keyOf = (runStyle: RunStyle) => JSON.stringify(runStyle, Object.keys(runStyle).sort())
  const plainKey = keyOf({})
  texts.set(plainKey, style.markup ? '' : style.text)
  for (const run of runs) texts.set(keyOf(run.style), `${texts.get(keyOf(run.style)) ?? ''}${run.text}`)

  // Requested once for all styles.
  let accountFonts: ReturnType<NonNullable<FontContext['fonts']>> | undefined
  const asked = {
    fonts: () => {
      accountFonts ??= context.fonts?.() ?? Promise.resolve([])
      return accountFonts
    },
  }
  const borrowed: Faces[] = []
  const release = () => {
    for (const faces of borrowed.splice(0)) faces.release()
  }
  try {
    const styles = new Map<string, CharStyle>()
    for (const [key, text] of texts) {
      const differs = JSON.parse(key) as RunStyle
      const request = { ...style, ...fontOf(differs) }
      // The ellipsis may follow any of them.
      const faces = await facesFor(`${text}\u2026`, request, asked)
      borrowed.push(faces)
      styles.set(key, {
        ...faces,
        weight: request.weight,
        size: differs.size ?? 1,
        color: differs.color,
        background: differs.background,
        underline: differs.underline ?? style.underline,
        strike: differs.strike ?? style.strike,
      })
    }
    const missing = borrowed.flatMap((faces) => faces.missing)
    reportMissing(missing, style.missingGlyphs ?? 'warn', context)
    const plain = styles.get(plainKey)
    if (plain === undefined) throw new Error('the style of the text as a whole is always there')
    const chars = runs.flatMap(({ text, style: runStyle }) => withEmoji(text, styles.get(keyOf(runStyle)) ?? plain))
    return { chars, plain, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Emoji in the emoji font, and characters with text presentation in other fonts, on lines as high as without them. */
function withEmoji(text: string, style: CharStyle): Run<CharStyle>[] {
  if (!style.names.includes(emojiFace)) return [{ text, style }]
  const others = style.names.filter((name) => name !== emojiFace)
  const styles = {
    either: style,
    text: { ...style, names: [...others, emojiFace], namesOfLarge: undefined, line: style },
    emoji: { ...style, names: [emojiFace, ...others], namesOfLarge: undefined, line: style },
  }
  return presentations(text).map(({ text, presentation }) => ({ text: unsplit(text), style: styles[presentation] }))
}

function fontOf({ font, weight, italic }: RunStyle) {
  return {
    ...(font === undefined ? {} : { font }),
    ...(weight === undefined ? {} : { weight }),
    ...(italic === undefined ? {} : { italic }),
  }
}
