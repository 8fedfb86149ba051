// A contract as rows: the field, what is declared, in words and exactly, and what that means when a reply is lost.
// Owns: those meanings.
import type { Contract, Json } from '../api/types.ts';
import type { Words } from '../words/index.tsx';
import type { LaterWords } from '../words/later.ts';
import { answersText, pairsText, patternText, placeText } from './pattern-words.ts';

export interface Row {
  readonly field: keyof LaterWords['tools']['fields'];
  /** In words, one clause each. */
  readonly says: readonly string[];
  /** As it is declared, where the words leave something to be looked up. */
  readonly exact?: Json | undefined;
  readonly means: readonly string[];
}

interface Saying {
  readonly words: Words;
  readonly later: LaterWords;
  readonly length: (ms: number) => string;
}

const json = (value: unknown): Json => {
  const read: Json = JSON.parse(JSON.stringify(value));
  return read;
};

const keyRow = ({ key }: Contract, { later, length }: Saying): Row => {
  const { means } = later.tools;
  const said = later.contract;
  if (key.kind === 'none') return { field: 'key', says: [said.noKey], means: [means.noKey] };
  const where = placeText(key.place, said);
  const exact = json(key);
  if (key.kind === 'reference')
    return {
      field: 'key',
      says: [said.referenceTravels(where)],
      exact,
      means: [means.referenceOnly],
    };
  return {
    field: 'key',
    says: [
      said.keyAt(where),
      said.scope(key.scope),
      said.retention(length(key.retentionMs), length(key.marginMs)),
      key.comparesParameters ? said.compares : said.comparesNot,
      ...(key.stillRunning === undefined
        ? []
        : [said.stillRunning(patternText(key.stillRunning, said))]),
    ],
    exact,
    means: [means.key(length(key.retentionMs)), means.onRepeat[key.onRepeat]],
  };
};

const lookUpRows = ({ lookUp }: Contract, { later, length }: Saying): readonly Row[] => {
  const { means } = later.tools;
  const said = later.contract;
  if (lookUp === undefined)
    return [{ field: 'lookUp', says: [said.noLookUp], means: [means.noLookUp] }];
  const { coverage, compare } = lookUp;
  const { account, environment, archived, period, readRights, complete } = coverage;
  return [
    {
      field: 'lookUp',
      says: [
        said.lookUpWith(lookUp.tool),
        said.hits(lookUp.hits),
        said.found(patternText(lookUp.found, said)),
        said.absent(patternText(lookUp.absent, said)),
        Object.keys(compare).length === 0 ? said.comparedNot : said.compared(pairsText(compare)),
        said.settles(length(lookUp.settleMs)),
      ],
      exact: json(lookUp),
      means: [lookUp.by === 'reference' ? means.byReference : means.byNatural],
    },
    {
      field: 'coverage',
      says: [
        said.covers(account, environment),
        archived ? said.archived : said.archivedNot,
        said.reads(readRights),
        said.period(period),
      ],
      means: [complete ? means.complete : means.incomplete],
    },
  ];
};

const headed = (heading: string, clauses: readonly string[]): readonly string[] =>
  clauses.length === 0 ? [] : [heading, ...clauses];

const progressRow = (contract: Contract, { words, later, length }: Saying): readonly Row[] => {
  const { progress } = contract;
  const said = later.contract;
  if (progress === undefined) return [];
  const until = length(progress.untilMs);
  return [
    {
      field: 'progress',
      says: [
        patternText(progress.running, said),
        progress.poll === undefined
          ? said.waited(until)
          : said.polled(progress.poll.tool, length(progress.everyMs), until),
        ...headed(said.onPoll, answersText(progress.poll ?? {}, said, words.said)),
      ],
      exact: json(progress),
      means: [later.tools.means.progress],
    },
  ];
};

const optionalRows = (contract: Contract, saying: Saying): readonly Row[] => {
  const { alreadyExists, rateLimit } = contract;
  const { later, length } = saying;
  const { means } = later.tools;
  const said = later.contract;
  return [
    ...(alreadyExists === undefined
      ? []
      : [
          {
            field: 'alreadyExists' as const,
            says: [patternText(alreadyExists, said)],
            exact: json(alreadyExists),
            means: [means.alreadyExists],
          },
        ]),
    ...progressRow(contract, saying),
    ...(rateLimit === undefined
      ? []
      : [
          {
            field: 'rateLimit' as const,
            says: [patternText(rateLimit.reply, said), said.notNow(length(rateLimit.waitMs))],
            exact: json(rateLimit),
            means: [means.rateLimit],
          },
        ]),
  ];
};

const successRow = (contract: Contract, { words, later }: Saying): Row => {
  const { success, preset, accepted, nothing, repeat } = contract;
  const { means } = later.tools;
  const said = later.contract;
  const declared = success.map(({ reply, reference }) =>
    [
      patternText(reply, said),
      ...(reference === undefined ? [] : [said.referenceAt(reference)]),
    ].join(' '),
  );
  // The other presets are written out into the contract; this one is read as it is (functions/core/perform/reply.ts).
  const byPreset = preset === 'http' && success.length === 0 ? [said.httpSuccess] : [];
  const more = [
    ...answersText({ accepted, nothing }, said, words.said),
    ...headed(said.onRepeat, answersText(repeat ?? {}, said, words.said)),
  ];
  const patterns = declared.length + byPreset.length;
  return {
    field: 'success',
    says:
      patterns === 0 && more.length === 0 ? [said.nothing] : [...declared, ...byPreset, ...more],
    exact: success.length === 0 ? undefined : json(success),
    means: [patterns === 0 ? means.noSuccess : means.success(patterns)],
  };
};

const disproofRow = (
  { disproof, preset, asksBeforeActing }: Contract,
  { words, later }: Saying,
): Row => {
  const { means } = later.tools;
  const said = later.contract;
  const declared = disproof.map(
    ({ reply, because }) => `${patternText(reply, said)} ${words.said(because)}`,
  );
  const byPreset = preset === 'http' ? [said.httpDisproof] : [];
  const asks = asksBeforeActing ? [said.asksBeforeActing] : [];
  const answers = declared.length + byPreset.length;
  return {
    field: 'disproof',
    says: answers + asks.length === 0 ? [said.nothing] : [...declared, ...byPreset, ...asks],
    exact: disproof.length === 0 ? undefined : json(disproof),
    means: [answers === 0 ? means.noDisproof : means.disproof(answers)],
  };
};

const replyRows = (contract: Contract, saying: Saying): readonly Row[] => [
  successRow(contract, saying),
  disproofRow(contract, saying),
  ...optionalRows(contract, saying),
];

const likenessRow = ({ likeness }: Contract, { later }: Saying): Row => ({
  field: 'likeness',
  says: [
    likeness === undefined
      ? later.tools.means.likenessAll
      : later.contract.likeArguments(likeness.join(', ')),
  ],
  means: [later.tools.means.likeness],
});

const approvalRow = ({ policy, effect }: Contract, { later, length }: Saying): Row => {
  const { approval, expiryMs, beginMs, role } = policy;
  const { means } = later.tools;
  const never = approval.when === 'never' && effect !== 'irreversible';
  return {
    field: 'approval',
    says: never
      ? [later.contract.nothing]
      : [
          later.contract.expires(length(expiryMs), role),
          ...(beginMs === undefined ? [] : [later.contract.begun(length(beginMs))]),
        ],
    exact: approval.when === 'condition' ? approval.expression : undefined,
    means: [effect === 'irreversible' ? means.always : means[approval.when]],
  };
};

const whoRows = (contract: Contract, { later, length }: Saying): readonly Row[] => {
  const { means } = later.tools;
  const said = later.contract;
  const { whenUndetermined, repeatWindowMs, recoverer } = contract;
  return [
    {
      field: 'whenUndetermined',
      says: [said.whenUndetermined[whenUndetermined]],
      means: [means[whenUndetermined]],
    },
    { field: 'repeatWindow', says: [length(repeatWindowMs)], means: [means.repeatWindow] },
    { field: 'recoverer', says: [recoverer ?? said.nobody], means: [means.recoverer] },
  ];
};

export const contractRows = (contract: Contract, saying: Saying): readonly Row[] => {
  const { later, length } = saying;
  const { means } = later.tools;
  const effect: Row = {
    field: 'effect',
    says: [later.toolEffects[contract.effect]],
    means: [means[contract.effect]],
  };
  const place: Row = {
    field: 'destination',
    says: [Object.values(contract.destination).join(' · ')],
    means: [],
  };
  if (contract.effect === 'read') return [effect, place];
  return [
    effect,
    place,
    ...replyRows(contract, saying),
    keyRow(contract, saying),
    ...lookUpRows(contract, saying),
    { field: 'timeout', says: [length(contract.timeoutMs)], means: [means.timeout] },
    likenessRow(contract, saying),
    approvalRow(contract, saying),
    ...whoRows(contract, saying),
  ];
};
