/** Font families by name, and their packages. */
export const packages = {
  Inter: '@fontsource/inter',
  Lora: '@fontsource/lora',
  'Playfair Display': '@fontsource/playfair-display',
  'JetBrains Mono': '@fontsource/jetbrains-mono',
  Oswald: '@fontsource/oswald',
  Anton: '@fontsource/anton',
} as const

export type Family = keyof typeof packages
export const families = Object.keys(packages) as Family[]

/** The family of this name, ignoring case as in CSS. */
export function familyNamed(name: string): Family | undefined {
  return families.find((family) => family.toLowerCase() === name.trim().toLowerCase())
}
