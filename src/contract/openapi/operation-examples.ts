import { changeExample } from '../changes.ts'
import { checkExample } from '../checks.ts'
import { deletedRoundExample, restoredExample } from '../deleted-rounds.ts'
import { draftVersionExample, wholeDraftExample } from '../draft-history.ts'
import examples from '../examples.json' with { type: 'json' }
import { historyExample, wholeVersionExample } from '../history.ts'
import { candidateExample, remarkExample } from '../discussion.ts'
import { releasedExample, roundExample, roundInputExample, slotChangeExample } from '../rounds.ts'
import { memberExample } from '../staff.ts'
import { tournamentChangeExample } from '../tournament-feed.ts'
import { tournamentExample, tournamentInputExample } from '../tournaments.ts'
import { useExample } from '../usage.ts'
import { example, openapiExample, type OperationExamples } from './types.ts'

const hostedExample = { ...tournamentExample, role: 'host' }

const tournamentReply = (summary: string, rounds: readonly object[]) =>
  example(summary, { tournament: { ...hostedExample, rounds } })
const oneRound = (summary: string) => example(summary, { round: roundExample })

const oneFinding = { checks: [checkExample], counts: { stars: 1 } }

const onePage = { page: 1, pageCount: 1, total: 1 }

/** Examples of what the operations of tournaments are sent and answer, by operation id. */
const tournamentExamples: OperationExamples = {
  listTournaments: {
    reply: {
      public: example('One public tournament', { tournaments: [tournamentExample], ...onePage }),
    },
  },
  listMyTournaments: {
    reply: { mine: example('One that you host', { tournaments: [hostedExample], ...onePage }) },
  },
  createTournament: {
    request: {
      plain: example('A name is enough', { name: 'Harbour Lights Cup' }),
      full: example('Its ruleset, year and ranks', {
        ...tournamentInputExample,
        link: 'https://cup.example/rules',
      }),
    },
    reply: { created: tournamentReply('Private, without rounds', []) },
  },
  getTournament: {
    reply: {
      staff: tournamentReply('As its host sees it', [releasedExample, roundExample]),
      others: example('As everybody else sees it', {
        tournament: {
          ...tournamentExample,
          rounds: [releasedExample],
          upcoming: [{ name: roundExample.name, releaseAt: roundExample.releaseAt }],
        },
      }),
    },
  },
  updateTournament: {
    request: {
      publish: example('For everybody to see', { visibility: 'public' }),
      remove: example('Without a link from now on', { link: null }),
    },
    reply: { updated: tournamentReply('As it is now', [roundExample]) },
  },
  createRound: {
    request: {
      plain: example('A name is enough', { name: 'Quarterfinals' }),
      slots: example('With slots', roundInputExample),
    },
    reply: { created: oneRound('The new round') },
  },
  replaceRounds: {
    request: {
      sheet: example('Two rounds', { rounds: [{ name: 'Qualifiers' }, roundInputExample] }),
    },
    reply: { replaced: tournamentReply('As it is now', [releasedExample, roundExample]) },
  },
  getRound: {
    reply: {
      draft: oneRound('A draft'),
      released: example('What is released of a round', { round: releasedExample }),
    },
  },
  replaceRound: {
    request: { whole: example('A whole round', roundInputExample) },
    reply: { replaced: oneRound('As it is now') },
  },
  changeSlots: {
    request: {
      replace: example('Another beatmap', { changes: [slotChangeExample] }),
      fill: example('A beatmap in place of what was planned', {
        changes: [
          {
            mod: 'TB',
            index: 1,
            from: { placeholder: 'custom map, due Sunday' },
            to: { beatmapId: 1860169 },
          },
        ],
      }),
      empty: example('Nothing any more', { changes: [{ ...slotChangeExample, to: null }] }),
    },
    reply: { changed: oneRound('As it is now') },
  },
  releaseRound: {
    request: {
      schedule: example('At a time', { at: roundExample.releaseAt }),
      now: example('Now', { at: 'now' }),
      withdraw: example('Not at all', { at: null }),
    },
    reply: {
      scheduled: oneRound('Scheduled'),
      released: example('Released', { round: releasedExample }),
    },
  },
  listDeletedRounds: {
    reply: { one: example('One round', { rounds: [deletedRoundExample] }) },
  },
  restoreRound: { reply: { restored: example('The round', restoredExample) } },
  getDraftHistory: {
    reply: { one: example('One version', { versions: [draftVersionExample], ...onePage }) },
  },
  getDraftVersion: { reply: { whole: example('All of it', { version: wholeDraftExample }) } },
  listStaff: { reply: { staff: example('A pooler', { staff: [memberExample] }) } },
  getMember: { reply: { member: example('A pooler', { member: memberExample }) } },
  setRole: {
    request: { pooler: example('A pooler', { role: 'pooler' }) },
    reply: { member: example('A pooler', { member: memberExample }) },
  },
  listCandidates: {
    reply: { one: example('One candidate', { candidates: [candidateExample], ...onePage }) },
  },
  proposeCandidate: {
    request: {
      plain: example('For NM3', { mod: 'NM', index: 3, beatmapId: 1860169 }),
      note: example('With the reason', {
        mod: 'NM',
        index: 3,
        beatmapId: 1860169,
        note: candidateExample.note,
      }),
      several: example('Several at once', {
        candidates: [
          { mod: 'NM', index: 3, beatmapId: 1860169 },
          { mod: 'HD', index: 1, beatmapId: 129891 },
        ],
      }),
    },
    reply: {
      proposed: example('The new candidate', {
        candidate: { ...candidateExample, score: 0, votes: [] },
      }),
      several: example('Those of a list', {
        candidates: [{ ...candidateExample, score: 0, votes: [] }],
      }),
    },
  },
  getCandidate: { reply: { one: example('A candidate', { candidate: candidateExample }) } },
  voteOnCandidate: {
    request: {
      up: example('For it', { vote: 1 }),
      none: example('Neither for nor against it any more', { vote: 0 }),
    },
    reply: { voted: example('With the vote', { candidate: candidateExample }) },
  },
  moveCandidate: {
    request: { slot: example('To NM2', { mod: 'NM', index: 2 }) },
    reply: {
      moved: example('In the other slot', { candidate: { ...candidateExample, index: 2 } }),
    },
  },
  listRemarks: {
    reply: { one: example('One remark', { remarks: [remarkExample], ...onePage }) },
  },
  addRemark: {
    request: {
      slot: example('On NM3', { mod: 'NM', index: 3, text: remarkExample.text }),
      round: example('On the round', { text: 'Two beatmaps by one mapper' }),
    },
    reply: { added: example('The new remark', { remark: remarkExample }) },
  },
  getRemark: { reply: { one: example('A remark', { remark: remarkExample }) } },
  updateRemark: {
    request: {
      settle: example('Nothing is left to do', { settled: true }),
      move: example('To NM2', { mod: 'NM', index: 2 }),
      reword: example('In other words', { text: 'Far too long for this round' }),
    },
    reply: { settled: example('Settled', { remark: { ...remarkExample, settled: true } }) },
  },
  getTournamentChecks: { reply: { found: example('One finding', oneFinding) } },
  getRoundChecks: {
    reply: {
      found: example('One finding', oneFinding),
      none: example('All is well', { checks: [], counts: {} }),
    },
  },
  getBeatmapUsage: {
    reply: {
      pooled: example('Pooled once', { uses: [useExample], ...onePage }),
      never: example('Never pooled', { uses: [], page: 1, pageCount: 1, total: 0 }),
    },
  },
  listBeatmapUsage: {
    reply: {
      pooled: example('One of two was pooled', {
        uses: [{ beatmapId: 129891, ...useExample }],
        totals: [
          { beatmapId: 75, total: 0 },
          { beatmapId: 129891, total: 1 },
        ],
        ...onePage,
      }),
    },
  },
}

const full = example('A bucket of your own, for all to see', examples.fullInput)
const pastTheEnd = example('A page past the end', { packs: [], page: 7, pageCount: 1, total: 1 })

function pageOf(...packs: readonly object[]) {
  return { packs, page: 1, pageCount: 1, total: packs.length }
}

const noChanges = { changes: [], cursor: changeExample.cursor, more: false }

/** Those of `getChanges` of the tournament-pools service. */
export const tournamentFeedExamples: OperationExamples[string] = {
  reply: {
    released: example('A round was released', {
      ...noChanges,
      changes: [tournamentChangeExample],
    }),
    nothing: example('Nothing has come', noChanges),
  },
}

/** Examples of what each operation is sent and answers, by operation id. */
export const operationExamples: OperationExamples = {
  getMe: { reply: { owner: example("The key's owner", { user: examples.user }) } },
  listMyPacks: {
    reply: {
      mine: example(
        'Three packs, one of them hidden',
        pageOf(examples.pack, examples.newPack, examples.hiddenPack),
      ),
      pastTheEnd,
    },
  },
  listPacks: {
    reply: { public: example('One public pack', pageOf(examples.pack)), pastTheEnd },
  },
  createPack: {
    request: { plain: example('Name and slots are enough', examples.plainInput), full },
    reply: { created: example('Saved, unlisted, without stats', { pack: examples.newPack }) },
  },
  getPack: {
    reply: {
      complete: example('With stats and a magnet link', { pack: examples.pack }),
      plain: example('Saved a moment ago', { pack: examples.newPack }),
    },
  },
  replacePack: {
    request: { full },
    reply: {
      replaced: example('Other maps: magnet links cleared, stats to follow', {
        pack: examples.replacedPack,
      }),
    },
  },
  getHistory: {
    reply: { versions: example('A pack that was unlisted before', historyExample) },
  },
  getVersion: { reply: { version: example('One version', { version: wholeVersionExample }) } },
  setHistoryPublic: {
    request: { open: example('For everyone who may read the pack', { public: true }) },
    reply: {},
  },
  getChanges: {
    reply: {
      changed: example('One change, and no more', { ...noChanges, changes: [changeExample] }),
      nothing: example('Nothing has come', noChanges),
    },
  },
  ...tournamentExamples,
  getOpenapi: { reply: { document: example('In outline', openapiExample) } },
}
