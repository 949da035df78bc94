import { Page } from '../shell/page.tsx'

export function ExecutionsPage() {
  return <Page title="Executions">{null}</Page>
}
