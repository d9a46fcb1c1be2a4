import { commandHelp } from '../src/cli/program.ts'
import { asCommand } from '../src/cli/user/user-command.ts'
import { loadAll } from '../src/cli/user/user-commands.ts'

const head = `# The command line

\`mapcrate\` moves pools between spreadsheets, the tournament client, referees' chats and packs. It comes
with \`@mapcrate/client\`, needs Node 20 or later, and brings its one dependency, which reads spreadsheet files.

## From a spreadsheet to a round in five minutes

Install it from the package that you were given, or in a clone of Mapcrate say \`npx mapcrate\`:

\`\`\`text
npm install --global mapcrate-client-0.1.0.tgz
\`\`\`

Log in to the site. It asks for the key that you made on its \`/account\` page, tries both, and keeps them where you
alone can read them:

\`\`\`text
mapcrate login https://packs.example
\`\`\`

Copy the pool's cells out of the spreadsheet, header and all. Columns may be in any order and there may be
others between them; ids and links are fine:

\`\`\`tsv
Pick	Title	Link
NM1	FREEDOM DiVE	https://osu.ppy.sh/beatmapsets/39804#osu/129891
NM2	DISCO PRINCE	https://osu.ppy.sh/b/75
HD1		76
TB		https://osu.ppy.sh/b/77
\`\`\`

Call \`import\` with a hyphen in place of a file, paste, and press Enter and Ctrl+D (a file saved as CSV goes
by its name). It says what became of the lines, and under which slug the pack is saved:

\`\`\`sh
mapcrate import - --name Semifinals
\`\`\`

\`\`\`text
q7Jm2_xT0a  Semifinals, 4 beatmaps, unlisted: https://mapcrate.test/p/q7Jm2_xT0a
\`\`\`

Sheets, lists, posts and the JSON of bots are read as people write them, but never guessed at. A file that can mean
several things is not saved: its readings are listed, and \`--accept\` chooses (on a terminal you are asked):

\`\`\`text
bracket.json, line 9, “{ "ID": 76, "Mods": "Stage 1" }”: “Stage 1” is not a known bucket. Where do its beatmaps belong?
  1a  In a new bucket Stage1
  1b  In no bucket
mapcrate import: nothing was saved; 1 question is open. Choose readings, or the first of each by --accept all:
  mapcrate import bracket.json --accept 1a
\`\`\`

With several files nothing of any is saved until the questions of all are answered. \`--dry-run --explain\` shows why
each slot was read so, and \`--mods RC=HD+HR,SV=free\` sets the mods of custom buckets.

Look at what you saved, or open that address:

\`\`\`sh
mapcrate get q7Jm2_xT0a
\`\`\`

Write the round for the tournament client. The first line is for a tournament that has no \`bracket.json\`
yet, and refuses to overwrite one; the second puts the round into one that is there and changes nothing else
in it. After a change of the pool, run the second again; a round that has not changed stays as it is to the
last byte:

\`\`\`sh
mapcrate export q7Jm2_xT0a --as bracket --out bracket.json
mapcrate export q7Jm2_xT0a --as bracket --merge bracket.json
\`\`\`

The referee gets lines to paste into the lobby, and players a collection, alone or in a file of theirs:

\`\`\`sh
mapcrate export q7Jm2_xT0a --as referee
mapcrate export q7Jm2_xT0a --as osdb --out Semifinals.osdb
mapcrate export q7Jm2_xT0a --as osdb --merge Semifinals.osdb
\`\`\`

When the sheet has changed, \`replace\` takes the new cells, and \`edit\` opens the pack in your editor:

\`\`\`text
mapcrate replace q7Jm2_xT0a -
mapcrate edit q7Jm2_xT0a
\`\`\`

Every save keeps what was there before. \`history\` lists the versions, \`diff\` compares two of them or one with
the pack as it is now, and \`restore\` saves an old one again:

\`\`\`text
mapcrate history q7Jm2_xT0a
mapcrate diff q7Jm2_xT0a 1
mapcrate restore q7Jm2_xT0a 1
\`\`\`

## Tournaments

\`mapcrate tournament\` drafts the pools of a tournament round by round, with a staff and in secret, and releases them.
The tournament-pools service has an address and keys of its own:

\`\`\`text
mapcrate login --service pools
mapcrate tournament new "Harbour Lights Cup" --short-name HLC
mapcrate tournament import dG91cm5hbW pools.csv
mapcrate tournament release dG91cm5hbW Qualifiers --at 2026-12-01T18:00:00Z
\`\`\`

[Run your tournament](tournaments.md) leads through all of it, on the site and here.

## Live overlays

Stream overlays and referee bots often read a file on the stream's computer. This keeps one up to date with the pack,
checking it every ten seconds until Ctrl+C:

\`\`\`text
mapcrate watch q7Jm2_xT0a --as overlay --out overlay.json --every 10
\`\`\`

Leave it running during the match. The file is only ever replaced as a whole, so that a reader never finds half of it;
while the service or the network is down, it keeps its last content. If the file is deleted, it is written again. If
another program changes it, it is left as it is and you are told; \`--force\` overwrites it.
[The file formats](formats.md) describe what \`overlay\`, \`overlay-stage\`, \`overlay-order\` and \`codes\` contain; every text
format can be kept this way.

\`mapcrate tournament watch\` does the same with what is released of a tournament, and prints each round that is released,
changed or withdrawn:

\`\`\`text
mapcrate tournament watch dG91cm5hbW --as overlay-stage --round Finals --out beatmaps.json
\`\`\`

## Hearing of changes

A bot need not ask again and again. This prints a line of JSON as soon as a public pack or one of yours is created,
saved, published, hidden or deleted, and runs on when the service is restarted:

\`\`\`text
mapcrate changes --follow --json >> changes.jsonl
\`\`\`

Each change has a cursor. A program that was stopped misses nothing if it begins again after the last one:

\`\`\`text
mapcrate changes --follow --json --after "$(tail -n 1 changes.jsonl | jq -r .cursor)" >> changes.jsonl
\`\`\`

## Common to all commands

- Results are written to stdout, messages to stderr. \`-\` as an input file is stdin;
  any other is an ordinary file of 64 MB at most, no device or pipe.
- \`--json\` prints JSON for programs: packs as the API returns them.
- Exit status: 0 success; 1 failure; 2 usage error; 3 partial success: something was refused or skipped,
  and reported, or a file can mean several things and nothing was saved; 130 interrupted (a second Ctrl+C ends at once).
  What goes on until Ctrl+C, as \`watch\` and \`changes --follow\` do, has not failed by it: 0.
  Where nobody reads stdout any more, as behind \`| head -1\`, what is being saved is saved all the same; these two end.
- \`MAPCRATE_URL\` and \`MAPCRATE_KEY\` take precedence over what \`login\` has stored. A stored key is sent only
  to the address that it was stored for. Commands for tournaments have \`MAPCRATE_POOLS_URL\` and
  \`MAPCRATE_POOLS_KEY\` instead, and a login of their own. No command takes a key as an argument, and none prints one
  or a password in an address.
- Colours and progress are shown on terminals. \`NO_COLOR\` disables colours, \`FORCE_COLOR\` enables them.
- Many saves are delayed to stay within the limit of the service, ten a minute.
- Files are written atomically, and an existing file is never overwritten unless you say so.
- [A table](format-table.md) shows what each format can contain, [a guide](formats.md) what can be pasted.

`

const tail = `<!-- Written by \`npm run docs\` from the help of the commands. -->
`

/** The text of `docs/cli.md`. */
export const cliDoc = async (): Promise<string> => {
  // Nothing of the machine is looked at before a command runs.
  const machine = {} as Parameters<typeof asCommand>[1]
  const sections = (await loadAll()).map((command) => {
    const help = commandHelp('mapcrate', command.name, asCommand(command, machine))
    return `## ${command.name}: ${command.summary}\n\n\`\`\`text\n${help}\`\`\`\n\n`
  })
  return head + sections.join('') + tail
}
