import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The address at which `npm run dev` finds the API. */
const api = 'http://127.0.0.1:8080'

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
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, every set of pages that shares a module has a chunk: 15 for the sign-in page, 83 for the editor.
          groups: [
            // Changes seldom: a new version of the console leaves it in the caches of browsers.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            // Every page needs the entry.
            { name: 'core', tags: ['$initial'], priority: 1 },
            // A smaller number of pages makes fewer files, and the sign-in page load more that it doesn't use.
            { name: 'icons', test: /lucide-react/ },
            { name: 'shared', minShareCount: 14 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': api, '/images': api, '/docs': api, '/openapi.json': api } },
})
