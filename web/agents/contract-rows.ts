// A contract as rows: the field, what is declared, and what that means when a reply is lost. Owns: those meanings.
import type { Contract } from '../api/types.ts';
import type { Words } from '../words/index.tsx';

export interface Row {
  readonly field: keyof Words['tools']['fields'];
  readonly value: string;
  readonly means: readonly string[];
}

type Length = (ms: number) => string;
const text = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value));

const keyRow = ({ key }: Contract, { tools }: Words, length: Length): Row => {
  const { means } = tools;
  if (key.kind === 'none') return { field: 'key', value: '–', means: [means.noKey] };
  const where = text(key.place);
  if (key.kind === 'reference') return { field: 'key', value: where, means: [means.referenceOnly] };
  return {
    field: 'key',
    value: where,
    means: [means.key(length(key.retentionMs)), means.onRepeat[key.onRepeat]],
  };
};

const lookUpRows = ({ lookUp }: Contract, { tools }: Words): readonly Row[] => {
  const { means } = tools;
  if (lookUp === undefined) return [{ field: 'lookUp', value: '–', means: [means.noLookUp] }];
  const { account, environment, period, readRights, complete } = lookUp.coverage;
  return [
    {
      field: 'lookUp',
      value: lookUp.tool,
      means: [lookUp.by === 'reference' ? means.byReference : means.byNatural],
    },
    {
      field: 'coverage',
      value: [account, environment, readRights, period].join(' · '),
      means: [complete ? means.complete : means.incomplete],
    },
  ];
};

const replyRows = (contract: Contract, { tools }: Words): readonly Row[] => {
  const { success, disproof, alreadyExists, progress, rateLimit } = contract;
  const { means } = tools;
  const optional: readonly Row[] = [
    ...(alreadyExists === undefined
      ? []
      : [
          {
            field: 'alreadyExists' as const,
            value: text(alreadyExists),
            means: [means.alreadyExists],
          },
        ]),
    ...(progress === undefined
      ? []
      : [{ field: 'progress' as const, value: text(progress.running), means: [means.progress] }]),
    ...(rateLimit === undefined
      ? []
      : [{ field: 'rateLimit' as const, value: text(rateLimit.reply), means: [means.rateLimit] }]),
  ];
  return [
    {
      field: 'success',
      value: success.length === 0 ? '–' : success.map(({ reply }) => text(reply)).join('\n'),
      means: [success.length === 0 ? means.noSuccess : means.success(success.length)],
    },
    {
      field: 'disproof',
      value: disproof.length === 0 ? '–' : disproof.map(({ reply }) => text(reply)).join('\n'),
      means: [disproof.length === 0 ? means.noDisproof : means.disproof(disproof.length)],
    },
    ...optional,
  ];
};

export const contractRows = (contract: Contract, words: Words, length: Length): readonly Row[] => {
  const { means } = words.tools;
  const { destination, policy, likeness } = contract;
  const effect: Row = {
    field: 'effect',
    value: words.toolEffects[contract.effect],
    means: [means[contract.effect]],
  };
  const place: Row = {
    field: 'destination',
    value: Object.values(destination).join(' · '),
    means: [],
  };
  if (contract.effect === 'read') return [effect, place];
  return [
    effect,
    place,
    ...replyRows(contract, words),
    keyRow(contract, words, length),
    ...lookUpRows(contract, words),
    { field: 'timeout', value: length(contract.timeoutMs), means: [means.timeout] },
    {
      field: 'likeness',
      value: likeness?.join(', ') ?? means.likenessAll,
      means: [means.likeness],
    },
    {
      field: 'whenUndetermined',
      value: contract.whenUndetermined,
      means: [means[contract.whenUndetermined]],
    },
    {
      field: 'approval',
      value: policy.approval.when === 'condition' ? policy.approval.expression : '',
      means: [means[policy.approval.when]],
    },
    { field: 'repeatWindow', value: length(contract.repeatWindowMs), means: [means.repeatWindow] },
    { field: 'recoverer', value: contract.recoverer ?? '–', means: [means.recoverer] },
  ];
};
