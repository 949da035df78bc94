/** Usage: npm run build. Builds console/dist. `npm ci` also runs it (prepare.js). */
import { buildWorkspace } from './build-workspace.ts'

await buildWorkspace({
  workspace: 'console',
  sources: ['docs/pictures', 'examples/workflows', 'shared'],
  packages: ['vite', '@vitejs/plugin-react'],
  async build(vite, { folder, out }) {
    const { build } = vite as { build(options: object): Promise<unknown> }
    const common = { root: folder, logLevel: 'warn' }
    await build({ ...common, build: { outDir: out, emptyOutDir: true } })
    // The page of a run link, built apart: it shares no chunk with the console, and loads nothing of it.
    const rolldownOptions = { input: { run: 'run/index.html' } }
    await build({ ...common, build: { outDir: out, emptyOutDir: false, rolldownOptions } })
  },
})
