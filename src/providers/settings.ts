/** Reads the settings that providers declare from the environment. */
import type { Provider, ProviderSetting, SettingsOf } from './define.ts'

export interface ProviderConfig {
  settings: SettingsOf
  /** Has a path and no trailing slash. Undefined without a value and a default. */
  baseUrl: string | undefined
}

/** Configurations by the id of the provider. */
export type ProviderConfigs = Readonly<Record<string, ProviderConfig>>

export type Environment = Readonly<Record<string, string | undefined>>

type Definition = Pick<Provider, 'id' | 'settings' | 'baseUrl' | 'missingConfig'>

/** `problems`: sentences that name the variable, never the value of a secret. `readFile` throws if it fails. */
export function readProviders(
  env: Environment,
  providers: Iterable<Definition>,
  readFile: (path: string) => string,
): { providers: ProviderConfigs; problems: string[] } {
  const problems = new Set<string>()
  const report = (problem: string) => void problems.add(problem)
  const configs: Record<string, ProviderConfig> = {}
  for (const { id, settings, baseUrl } of providers) {
    const values: Record<string, string> = {}
    for (const [key, setting] of Object.entries(settings)) {
      const value = setting.isSecret ? readSecret(env, setting, readFile, report) : readPlain(env, setting, report)
      if (value !== undefined) values[key] = value
    }
    configs[id] = { settings: values, baseUrl: readBaseUrl(env, baseUrl, values, report) }
  }
  return { providers: configs, problems: [...problems] }
}

/** The settings that a provider still needs. */
export interface MissingConfig {
  /** Environment variables to set; empty if the provider has a condition of another kind. */
  variables: string[]
  /** `set OPENAI_API_KEY`, or a sentence of the provider. */
  text: string
}

/** Undefined if the provider is configured. */
export function missingConfigOf(provider: Definition, config: ProviderConfig): MissingConfig | undefined {
  const variables = Object.entries(provider.settings)
    .filter(([key, { isRequired }]) => isRequired && config.settings[key] === undefined)
    .map(([, { names }]) => names[0])
  if (config.baseUrl === undefined) variables.push(...partsOf(provider))
  const all = [...new Set(variables)]
  if (all.length > 0) return { variables: all, text: `set ${all.join(' and ')}` }
  const text = provider.missingConfig?.(config.settings)
  return text === undefined ? undefined : { variables: [], text }
}

/** All secret values, so that they can be removed from texts. */
export function secretsOf(providers: Iterable<Definition>, configs: ProviderConfigs): string[] {
  const all = [...providers].flatMap(({ id, settings }) =>
    Object.entries(settings).flatMap(([key, { isSecret }]) => (isSecret ? [configs[id]?.settings[key] ?? ''] : [])),
  )
  return [...new Set(all)].filter((secret) => secret !== '')
}

/** The first variable that is set. An empty variable counts as not set. */
function firstSet(env: Environment, names: readonly string[]): { name: string; text: string } | undefined {
  for (const name of names) {
    const text = env[name]?.trim()
    if (text !== undefined && text !== '') return { name, text }
  }
  return undefined
}

function readPlain(env: Environment, setting: ProviderSetting, report: (problem: string) => void): string | undefined {
  const found = firstSet(env, setting.names)
  if (found === undefined) return setting.default
  const wrong = problemOf(setting, found.text)
  if (wrong === undefined) return found.text
  report(`${found.name} ${wrong}, but it is ${JSON.stringify(found.text)}.`)
  return undefined
}

function readSecret(
  env: Environment,
  setting: ProviderSetting,
  readFile: (path: string) => string,
  report: (problem: string) => void,
): string | undefined {
  for (const name of setting.names) {
    const direct = firstSet(env, [name])
    const file = firstSet(env, [`${name}_FILE`])
    if (direct === undefined && file === undefined) continue
    if (direct !== undefined && file !== undefined) {
      report(`${name} and ${file.name} are both set. Remove one of them.`)
      return undefined
    }
    const text = direct?.text ?? (file && readSecretFile(file, readFile, report))
    if (text === undefined) return undefined
    const wrong = isOneLine(text) ? problemOf(setting, text) : 'must be one line of printable ASCII characters'
    if (wrong === undefined) return text
    report(`${(direct ?? file)?.name} ${wrong}. The value is not shown, because it is a secret.`)
    return undefined
  }
  return setting.default
}

function readSecretFile(
  { name, text: path }: { name: string; text: string },
  readFile: (path: string) => string,
  report: (problem: string) => void,
): string | undefined {
  try {
    const text = readFile(path).trim()
    if (text !== '') return text
    report(`${name} must be a file that contains the secret, but ${JSON.stringify(path)} is empty.`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === undefined ? '' : ` (${code})`
    report(`${name} must be a file that contains the secret, but ${JSON.stringify(path)} can't be read${why}.`)
  }
  return undefined
}

/** Valid in a header without encoding. */
function isOneLine(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text)
}

function problemOf({ check }: ProviderSetting, text: string): string | undefined {
  try {
    check?.(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readBaseUrl(
  env: Environment,
  { names, default: standard, path }: Provider['baseUrl'],
  settings: SettingsOf,
  report: (problem: string) => void,
): string | undefined {
  const standardUrl = filled(standard, settings)
  const found = firstSet(env, names)
  if (found === undefined) return standardUrl
  const url = URL.parse(found.text)
  const isBare = url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '')
  if (!isBare || !/^https?:$/.test(url.protocol)) {
    report(
      `${found.name} must be an http(s) URL without user, query and fragment. The value is not shown, because it can contain a password.`,
    )
    return standardUrl
  }
  if (badPorts.has(Number(url.port)) && url.port !== '') {
    report(`${found.name} must not use port ${url.port}, which HTTP clients block.`)
    return standardUrl
  }
  // The default has its path even if a setting in its host is missing.
  const usual = path ?? (standard === undefined ? undefined : URL.parse(plain(standard))?.pathname)
  if (url.pathname === '/' && usual !== undefined) url.pathname = usual
  return url.href.replace(/\/+$/, '')
}

/** `https://{resource}.example.com/v1` with its settings; undefined if one is missing. */
function filled(template: string | undefined, settings: SettingsOf): string | undefined {
  let isWhole = true
  const text = template?.replaceAll(placeholder, (_, key: string) => {
    const value = settings[key]
    isWhole &&= value !== undefined
    return value ?? ''
  })
  return isWhole ? text?.replace(/\/+$/, '') : undefined
}

/** The variables that the default base URL needs, or else the variable of the base URL. */
function partsOf({ baseUrl, settings }: Definition): string[] {
  const keys = [...(baseUrl.default ?? '').matchAll(placeholder)].map(([, key = '']) => key)
  return keys.length === 0 ? [baseUrl.names[0]] : keys.flatMap((key) => settings[key]?.names[0] ?? [])
}

function plain(template: string): string {
  return template.replaceAll(placeholder, 'x')
}

const placeholder = /\{(\w+)\}/g

/** The bad ports of https://fetch.spec.whatwg.org/#port-blocking: a request to them fails without a reason. */
// biome-ignore format: easier to compare with the standard
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])
