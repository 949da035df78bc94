import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkOf } from './chunks.ts'

/** The address at which `npm run dev` finds the API. */
const api = 'http://127.0.0.1:8080'

const router = fileURLToPath(new URL('src/router.tsx', import.meta.url)).replaceAll('\\', '/')
const packages = (...names: string[]) => new RegExp(`node_modules[\\\\/](${names.join('|')})[\\\\/]`)
const inputs =
  /@mantine.*[\\/](ColorSwatch|Input\w*|Kbd|PasswordInput|Skeleton|Textarea|TextInput|use-(debounced-value|local-storage|window-event))[\\/]/
/** Excludes the modules that they import, which other chunks have. */
const alone = { includeDependenciesRecursively: false }

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  plugins: [react()],
  // The server puts a nonce of its own in its place, in every answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // The first that know light-dark(): what would stand in its place for older ones follows no scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // One style sheet: a second one that can't be loaded, because the service restarts, would not be tried again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A module is in the first group that matches it.
          groups: [
            // Changes seldom: a new version of the console leaves it in the caches of browsers.
            { name: 'react', test: packages('react', 'react-dom', 'scheduler'), priority: 6 },
            // Every page needs the entry.
            { name: 'core', tags: ['$initial'], priority: 5 },
            { name: 'icons', test: packages('lucide-react'), priority: 4 },
            {
              name: 'graph',
              test: packages('@xyflow', 'd3-(dispatch|drag|ease|selection|timer|transition|zoom)', 'classcat'),
              ...alone,
              priority: 3,
            },
            { name: chunkOf(router), ...alone, priority: 2 },
            // Fields with text, on the sign-in page and in the editor.
            { name: 'inputs', test: inputs, priority: 2 },
            // Menus, dialogs and other fields, which most pages have. The editor has none of them when it opens.
            { name: 'forms', test: packages('@mantine', 'react-remove-scroll'), minShareCount: 14 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': api, '/images': api, '/docs': api, '/openapi.json': api } },
})
