/** The extent of JSON, found without parsing it: to parse a megabyte of nested lists takes a hundred times as long as a megabyte of text. */
import { limits } from '../limits.ts'

/** Why JSON must not be parsed: too many nested levels or too many values. Undefined if it can be. Any text is accepted. */
export function extentProblem(json: string): string | undefined {
  let [depth, values, isText] = [0, 1, false]
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i)
    if (code === quote) isText = !isText
    else if (isText) i += code === backslash ? 1 : 0
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > limits.jsonDepthMax) return `must have at most ${limits.jsonDepthMax} nested levels`
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    else if (code === comma) values += 1
    if (values > limits.jsonValuesMax) return `must have at most ${limits.jsonValuesMax.toLocaleString('en')} values`
  }
  return undefined
}

const [quote, backslash, comma, openBracket, openBrace, closeBracket, closeBrace] = Array.from('"\\,[{]}', (text) =>
  text.charCodeAt(0),
)
