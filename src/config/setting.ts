/** The shape of a setting. */
export interface Setting<Value> {
  /** Name of the environment variable. */
  name: string
  summary: string
  /** The default in the docs, if the value itself does not say it. */
  defaultText?: string
  default: Value
  /** Throws an `Error` whose message says what is accepted. */
  parse(text: string): Value
  /** The value can contain a password, so error messages don't repeat it. */
  isSecret?: true
}

export function setting<Value>(
  name: string,
  summary: string,
  value: Value,
  parse: (text: string) => Value,
  defaultText?: string,
): Setting<Value> {
  return { name, summary, default: value, parse, ...(defaultText === undefined ? {} : { defaultText }) }
}

export function secret<Value>(declared: Setting<Value>): Setting<Value> {
  return { ...declared, isSecret: true }
}
