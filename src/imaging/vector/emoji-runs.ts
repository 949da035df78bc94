/** Emoji that need the emoji font first, because other fonts have their characters as text: ©️, ❤️ and keycaps. */
import { unsplit } from './emoji-font.ts'

/** UTS #51, with U+FE0F or as a keycap. Emoji without it are drawn by the first font that has them. */
const emoji = /[0-9#*]\ufe0f?\u20e3|\p{ExtPict}(?:\ufe0f|\p{EMod})?(?:\u200d\p{ExtPict}(?:\ufe0f|\p{EMod})?)*/gu
const isSelected = /[\ufe0f\u20e3]/u

export interface EmojiRun {
  text: string
  isEmoji: boolean
}

/** Text for the emoji font of `packaged-fonts.ts`, in its order. */
export function emojiRuns(text: string): EmojiRun[] {
  if (!isSelected.test(text)) return [{ text: unsplit(text), isEmoji: false }]
  const runs: EmojiRun[] = []
  let end = 0
  const put = (part: string, isEmoji: boolean) => {
    const last = runs.at(-1)
    if (last?.isEmoji === isEmoji) last.text += unsplit(part)
    else if (part !== '') runs.push({ text: unsplit(part), isEmoji })
  }
  for (const { 0: found, index } of text.matchAll(emoji)) {
    if (!isSelected.test(found)) continue
    put(text.slice(end, index), false)
    put(found, true)
    end = index + found.length
  }
  put(text.slice(end), false)
  return runs
}
