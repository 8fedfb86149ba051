// An action in words for a ticket or a letter. Owns: that form. Everything in it is dated, and nothing is called done without
// saying what shows it.
import type { Action } from '../api/types.ts';
import { actionShown } from '../parts/state.tsx';
import type { Words } from '../words/index.tsx';

/** A value within a line of Markdown, so that it cannot start anything. */
export const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+!|<>~-]/g, (character) => `\\${character}`).replaceAll('\n', ' ');

const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

export const actionMarkdown = (action: Action, words: Words): string => {
  const { destination, tool } = action;
  const line = (name: string, value: string): string => `- ${name}: ${escaped(value)}`;
  return [
    `### ${escaped(tool.name)}: ${actionShown(action, words).word}`,
    '',
    line(words.call.id, action.actionId),
    line(words.call.tool, `${tool.name}, ${words.call.version(tool.version)}`),
    line(
      words.call.destination,
      [
        destination.provider,
        destination.account,
        destination.environment,
        destination.apiVersion,
      ].join(' · '),
    ),
    ...(action.reference === undefined ? [] : [line(words.call.reference, action.reference)]),
    line(words.call.digest, action.digest),
    '',
    `${words.call.arguments}:`,
    '',
    fenced(JSON.stringify(action.arguments, null, 2)),
    ...(action.told === undefined
      ? []
      : ['', `${words.call.result}:`, '', fenced(action.told.text)]),
    '',
  ].join('\n');
};
