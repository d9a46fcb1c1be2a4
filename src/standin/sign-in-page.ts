import { createHash } from 'node:crypto'
import type { Player } from './state.ts'

const style = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 32rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .6rem; }
button { font: inherit; color: inherit; text-align: left; width: 100%; padding: .7rem 1rem;
  border: 1px solid GrayText; border-radius: .6rem; background: transparent; cursor: pointer; }
button:hover { background: color-mix(in srgb, CanvasText 8%, transparent); }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
button strong { display: block; }
.deny { width: auto; }
`
const styleHash = createHash('sha256').update(style).digest('base64')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/**
 * What the page may do. Browsers hold the redirect behind a form to `form-action` as well,
 * so the application's origin has to be named.
 */
export function pagePolicy(redirectUri?: string): string {
  const origin = redirectUri === undefined ? '' : ` ${new URL(redirectUri).origin}`
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${origin}; base-uri 'none'; frame-ancestors 'none'`
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

const playerButton = (player: Player): string =>
  `<li><button name="player" value="${player.id}"><strong>${escape(player.username)}</strong> ${escape(player.about)}</button></li>`

/** Where one picks who signs in; `params` travel through the form. */
export function choicePage(params: URLSearchParams, players: Iterable<Player>): string {
  const hidden = [...params].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  return page(
    'Who signs in?',
    `<p>This is a stand-in for the game platform: its players are made up and have no passwords.
An application asks to know who you are. Pick a player to go back to it.</p>
<form method="post" action="authorize">
${hidden.join('\n')}
<ul>
${[...players].map(playerButton).join('\n')}
</ul>
<button class="deny" name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** Why nobody can sign in with this request. */
export const refusalPage = (message: string): string =>
  page(
    'This sign-in request is wrong',
    `<p>${escape(message)}</p>
<p>Nobody was signed in. The application that sent you here has to be set up differently.</p>`,
  )
