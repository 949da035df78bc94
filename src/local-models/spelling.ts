/** Decodes the output of the recognition model to text. */

/**
 * The characters of all steps, without repetitions and blanks (connectionist temporal classification), and with a
 * space in each gap (in steps) between letters.
 */
export function decodeText(
  { indexes, values }: { indexes: ArrayLike<number>; values: ArrayLike<number> },
  letters: readonly string[],
  gaps: readonly number[],
): { text: string; score: number } {
  let text = ''
  let [sum, count, before] = [0, 0, 0]
  for (let step = 0; step < indexes.length; step += 1) {
    const index = indexes[step] as number
    if (index === 0 || index === indexes[step - 1]) continue
    const letter = letters[index] ?? ''
    const isGap = gaps.some((gap) => gap > before + 0.5 && gap < step + 0.5)
    if (isGap && isOfWords(text.at(-1)) && isOfWords(letter) && !/[.,:;!?)\]}%]/.test(letter)) text += ' '
    text += letter
    sum += values[step] as number
    count += 1
    before = step
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count }
}

/** Chinese and Japanese are written without spaces. */
function isOfWords(letter: string | undefined): boolean {
  return (
    letter !== undefined &&
    /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(letter)
  )
}
