import { type Setting, settings } from '../../src/config.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

const all = Object.values(settings) as Setting<unknown>[]

export function configurationPage(): string {
  return [
    pageHead('Configuration', 'src/config.ts'),
    'Settings are environment variables. A file `.env` in the folder that the service is started from is read as well; what\nis in the environment already goes before it. An empty variable counts as not set. All that are wrong are told at once,\nand the service does not start. `.env.example` lists them all.\n',
    table(
      ['setting', 'default', 'takes', 'what it is'],
      all.map((setting) => [code(setting.name), defaultOf(setting), accepted(setting), setting.summary]),
    ),
  ].join('\n')
}

export function envExample(): string {
  const entries = all.map((setting) => {
    const { name, summary, defaultText } = setting
    // What depends on other settings or on the machine is told in words.
    if (defaultText !== undefined) return `# ${summary}\n# Default: ${defaultText}.\n#${name}=\n`
    return `# ${summary}\n#${name}=${setting.default}\n`
  })
  return `# Settings of Tintype. Copy this file to .env and fill in what shall differ.\n# Derived from src/config.ts by \`npm run derive\`.\n\n${entries.join('\n')}`
}

function defaultOf({ default: value, defaultText }: Setting<unknown>): string {
  if (defaultText !== undefined) return /^[./]|:\/\//.test(defaultText) ? code(defaultText) : defaultText
  return typeof value === 'number' && value >= 10_000 ? grouped(value) : code(String(value))
}

/** In the words of the parser itself, as it refuses what it cannot take. */
function accepted({ parse }: Setting<unknown>): string {
  try {
    parse('*')
    return 'any text'
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^must be /, '') : String(error)
  }
}
