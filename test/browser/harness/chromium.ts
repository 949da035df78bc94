/** The browser of this machine. It is not downloaded. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

export const chromiumPath = findChromium()

export const skipReason =
  'no Chromium was found: set CHROMIUM_PATH, or have chromium, chromium-browser or google-chrome on the PATH (scripts/install-test-browser.sh installs Debian’s)'

/**
 * Chromium's pages behind its address bar, which tests don't show: if they are enabled, each visit loads two of them, which takes
 * a fifth of all CPU time. Chromium obeys only the last `--disable-features`, so Playwright's list (1.65) follows, without
 * the features of Edge, Windows and macOS.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(skipReason)
  return chromium.launch({
    executablePath: chromiumPath,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      // No request leaves this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--disable-dev-shm-usage',
      `--disable-features=${disabledFeatures}`,
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
    ],
  })
}

function findChromium(): string | undefined {
  const { CHROMIUM_PATH: configured, PATH: path = '' } = process.env
  const folders = path.split(delimiter)
  const candidates = configured ? [configured] : names.flatMap((name) => folders.map((target) => join(target, name)))
  return candidates.find(canRun)
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
