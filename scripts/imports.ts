/** The import statements of a source file, for the checks of the structure and for `npm test -- --changed`. */

export interface ImportStatement {
  /** `./plan.ts`, `sharp`, `node:fs`. */
  specifier: string
  /** It imports nothing but types, so it isn't in the program that runs. */
  isType: boolean
  /** `import()`. */
  isLazy: boolean
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:([^'"\n;]*?|\{[^}]*\}|[^'";{]*\{[^}]*\})\sfrom\s+)?'([^']+)'|(typeof\s+)?\bimport\(\s*'([^']+)'/g

export function importsIn(text: string): ImportStatement[] {
  return [...withoutComments(text).matchAll(statement)].map(([, typed, names = '', plain, typeOf, lazy]) => {
    const members = /^\{(.*)\}$/s
      .exec(names.trim())?.[1]
      ?.split(',')
      .map((each) => each.trim())
    const isType =
      typed !== undefined ||
      typeOf !== undefined ||
      (members?.every((each) => each === '' || each.startsWith('type ')) ?? false)
    return { specifier: plain ?? lazy ?? '', isType, isLazy: lazy !== undefined }
  })
}

/** The name of the package of a specifier that isn't a path. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier.split('/')[0] ?? specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The text without comments, and optionally without strings. */
export function withoutComments(text: string, withoutStrings = false): string {
  const parts = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  return text.replace(parts, (_, string: string | undefined) => (string === undefined || withoutStrings ? '' : string))
}
