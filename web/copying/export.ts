// A run as a file: JSON as the API gives its parts, or Markdown to read and to paste. Owns: both forms.
import { type CallPlace, callId } from '../api/faults.ts';
import type { FaultMarkView, Message } from '../api/types.ts';
import { runShown } from '../parts/state.tsx';
import type { AllWords } from '../words/later.ts';
import { actionMarkdown, escaped } from './action-markdown.ts';
import type { RunParts } from './spans.ts';

export interface Exported extends RunParts {
  readonly messages: readonly Message[];
  /** What readers marked as faulty. */
  readonly faults: readonly FaultMarkView[];
}

/** Whether its reader may change a mark is no part of it. */
const mark = ({ mayChange: _mine, ...kept }: FaultMarkView) => kept;

export const runJson = ({ run, steps, actions, requests, messages, faults }: Exported): string =>
  JSON.stringify(
    {
      schema: 1,
      exportedAt: new Date().toISOString(),
      run,
      messages,
      steps,
      actions: [...actions.values()],
      requests: [...requests.values()],
      faultMarks: faults.map(mark),
    },
    null,
    2,
  );

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** What readers said of a call, as it stands below the call. */
const faultLines = (
  faults: readonly FaultMarkView[],
  of: CallPlace,
  { faults: words, by: written }: AllWords,
): string[] =>
  faults
    .filter((one) => callId(one) === callId(of))
    .flatMap(({ kind, note = '', by, at }) => [
      `**${words.marked}** ${written(escaped(by.name))}, ${at}${kind === undefined ? '' : ` (${words.kinds[kind]})`}:`,
      '',
      quoted(note),
      '',
    ]);

export const runMarkdown = (exported: Exported, words: AllWords): string => {
  const { run, steps, actions, messages, faults } = exported;
  const said = (step: number): string[] =>
    messages
      .filter(({ fate }) =>
        fate.fate === 'taken' ? fate.step === step : step === 1 && fate.fate === 'started',
      )
      .flatMap(({ author, at, text }) => [
        `**${escaped(author.name)}**, ${at}:`,
        '',
        quoted(text),
        '',
      ]);
  const parts = steps.flatMap((step) => [
    `## ${words.thread.step(step.step)} (${step.at})`,
    '',
    ...said(step.step),
    ...(step.text === '' ? [] : [quoted(step.text), '']),
    ...step.calls.flatMap((call, place) => {
      const action = call.kind === 'action' ? actions.get(call.actionId) : undefined;
      const of = { runId: run.runId, step: step.step, call: place };
      return [
        ...(action === undefined
          ? [`### ${escaped(call.name)}: ${words.thread.neverAction}`, '']
          : [actionMarkdown(action, words)]),
        ...faultLines(faults, of, words),
      ];
    }),
  ]);
  return [
    '---',
    `run: ${run.runId}`,
    `conversation: ${run.conversationId}`,
    `agent: ${run.agentId}`,
    `revision: ${run.revision}`,
    `exportedAt: ${new Date().toISOString()}`,
    '---',
    '',
    `# ${words.run.title(run.number)}: ${runShown(run.state, words).word}`,
    '',
    ...(run.state.status === 'finished' ? [escaped(run.state.detail), ''] : []),
    ...parts,
  ].join('\n');
};

/** Hands the browser a file. */
export const download = (name: string, type: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
