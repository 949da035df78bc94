/** The page of a run link: a separate entry, without the console, its session and its libraries. */
import './run-link.css'
import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { RunLinkPage } from './run-link-page.tsx'

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/** The key is in the fragment of the URL, which browsers send to no server. */
function RunLink() {
  const key = useSyncExternalStore(subscribe, () => window.location.hash.slice(1))
  return <RunLinkPage key={key} apiKey={key} />
}

const root = document.getElementById('root')
if (root === null) throw new Error('run/index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <RunLink />
  </StrictMode>,
)
