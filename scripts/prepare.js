/**
 * The last step of `npm ci`: removes files of packages that nothing loads, and builds the console. The documentation is built by
 * `npm run build`, or when somebody reads it. Plain JavaScript, because an older Node may run it if there is no Node 24 for the platform.
 */
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    'Tintype needs Node 24, which is not available as a package for this platform. Install Node 24.\n',
  )
  process.exit(1)
}
await import('./trim-packages.js')
await import('./build-console.ts')
