import { Page } from '../shell/page.tsx'

export function RunPage() {
  return <Page title="Run">{null}</Page>
}
