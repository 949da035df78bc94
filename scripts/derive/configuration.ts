import { settings } from '../../src/config/config.ts'
import type { Setting } from '../../src/config/setting.ts'
import type { Provider, ProviderSetting } from '../../src/providers/define.ts'
import { providersById } from '../../src/providers/index.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

const all = Object.values(settings) as Setting<unknown>[]

export function configurationPage(): string {
  return [
    pageHead('Configuration', 'src/config/config.ts'),
    "Settings are environment variables. The service also reads a file `.env` in the folder in which you start it. The\nenvironment takes precedence over the file. An empty variable counts as not set. If settings are invalid, the service\ndoesn't start and lists each invalid setting. `.env.example` has all settings. Restart the service after a change.\n",
    table(
      ['Setting', 'Default', 'Values', 'Description'],
      all.map((setting) => [code(setting.name), defaultOf(setting), accepted(setting), setting.summary]),
    ),
    '## AI providers\n',
    'A provider is configured if its required settings are set. `npx tintype providers` and `GET /v1/providers` list the\nconfigured providers. If a setting has several names, the first name that is set counts. To read a secret from a file,\nset `<NAME>_FILE` to its path instead of `<NAME>`. A base URL without a path gets the path of the default.\n',
    ...[...providersById.values()].map(providerSection),
  ].join('\n')
}

function providerSection(provider: Provider): string {
  const { title, id, summary, docsUrl, settings, baseUrl } = provider
  return [
    `### ${title}\n`,
    `${code(id)}: ${summary} Documentation: <${docsUrl}>\n`,
    table(
      ['Setting', 'Default', 'Description'],
      [
        ...Object.values(settings).map((setting) => [
          namesOf(setting.names),
          setting.default === undefined ? (setting.isRequired ? 'required' : 'none') : code(setting.default),
          `${setting.summary}${setting.isSecret ? ' A secret.' : ''}`,
        ]),
        [
          namesOf(baseUrl.names),
          baseUrl.default === undefined ? 'required' : code(baseUrl.default),
          'Base URL of the API.',
        ],
      ],
    ),
  ].join('\n')
}

function namesOf(names: readonly string[]): string {
  return names.map(code).join(' or ')
}

export function envExample(): string {
  const entries = all.map((setting) => {
    const { name, summary, defaultText } = setting
    // Defaults that depend on other settings or on the machine are described in words.
    if (defaultText !== undefined) return `# ${summary}\n# Default: ${defaultText}.\n#${name}=\n`
    return `# ${summary}\n#${name}=${setting.default}\n`
  })
  return `# Settings of Tintype. Copy this file to .env and change the settings that you need.\n# Derived from src/config/config.ts by \`npm run derive\`.\n\n${entries.join('\n')}\n${providersExample()}`
}

/** Every name once, because providers may share one. */
function providersExample(): string {
  const documented = new Set<string>()
  const sections = [...providersById.values()].map(({ title, summary, settings, baseUrl }) => {
    const rows = Object.values(settings).map((setting) => ({ ...setting, names: [...setting.names] }))
    const base = { names: [...baseUrl.names], summary: 'Base URL of the API.', default: baseUrl.default }
    const lines = [...rows, base as Pick<ProviderSetting, 'summary' | 'isSecret'> & typeof base].flatMap((setting) => {
      const [name = '', ...others] = setting.names
      if (documented.has(name)) return []
      documented.add(name)
      const also = [...others, ...(setting.isSecret ? [`${name}_FILE`] : [])]
      const or = also.length === 0 ? '' : ` Or ${also.join(', ')}.`
      return [`# ${setting.summary}${or}\n#${name}=${setting.default ?? ''}`]
    })
    return `# ${title}. ${summary}\n${lines.join('\n')}\n`
  })
  return `# AI providers: a provider is configured if its required settings are set.\n\n${sections.join('\n')}`
}

function defaultOf({ default: value, defaultText }: Setting<unknown>): string {
  if (defaultText !== undefined) return /^[./]|:\/\//.test(defaultText) ? code(defaultText) : defaultText
  return typeof value === 'number' && value >= 10_000 ? grouped(value) : code(String(value))
}

/** The accepted values, from the error message of the parser. */
function accepted({ parse }: Setting<unknown>): string {
  try {
    parse('*')
    return 'any text'
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^must be /, '') : String(error)
  }
}
