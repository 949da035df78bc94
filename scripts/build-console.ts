/** Usage: npm run build. Builds console/dist. `npm ci` also runs it (prepare.js). */
import { buildWorkspace } from './build-workspace.ts'

await buildWorkspace({
  workspace: 'console',
  sources: ['docs/pictures', 'examples/workflows', 'shared'],
  packages: ['vite', '@vitejs/plugin-react'],
  async build(vite, { folder, out }) {
    const { build } = vite as { build(options: object): Promise<unknown> }
    await build({ root: folder, logLevel: 'warn', build: { outDir: out, emptyOutDir: true } })
  },
})
