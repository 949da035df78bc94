/** What a workflow may ask for, and the package it is in. */
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
