// A recovery sheet as Markdown with front matter, for any tracking tool. Owns: that form, and escaping: what agents, people and
// destinations wrote is text here, never markup.
// Tested in test/functions/api/desk/sheet.test.ts.

import type { SheetWords, Tools } from '../../core/sheet/says.ts';
import type { Sheet, SheetLine } from '../../core/sheet/sheet.ts';
import { sheetWords, toolsFor } from '../../core/sheet/words.ts';

/** Text as Markdown shows it letter by letter; a line break would begin something new. */
export const escaped = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()#+!|<>~&=$^]/g, '\\$&');

const webAddress = /^(https?:\/\/|\/)[^\s<>]*$/;
const linked = (link: string | undefined): string =>
  link !== undefined && webAddress.test(link) ? ` <${link}>` : '';

/** JSON strings are YAML strings, so that no value can end the front matter or begin another key. */
const frontMatter = (sheet: Sheet): string => {
  const { owner, state } = sheet;
  const entries: [string, string | number | undefined][] = [
    ['id', sheet.actionId],
    ['state', state.effect],
    // Beside a state that is settled, "open" would read as if the action were not.
    ['disposition', state.disposition === 'open' ? undefined : state.disposition],
    ['owner', owner.name],
    ['lease_end', owner.leaseEnd],
    ['claim_fence', owner.claimFence],
    ['head', sheet.head],
    ['digest', sheet.digest],
    ['language', sheet.language],
    ['generated_at', sheet.generatedAt],
    ['generated_by', sheet.generatedBy.name],
    ['permalink', sheet.permalink],
  ];
  const lines = entries.map(([name, value]) => `${name}: ${JSON.stringify(value ?? null)}`);
  return ['---', ...lines, '---'].join('\n');
};

const lineOf = (line: SheetLine, words: SheetWords, tools: Tools): string => {
  const at = line.at === undefined ? '' : `, ${tools.date(line.at)}`;
  return `- **${escaped(line.label)}** (${words.parts[line.is]}${at}): ${escaped(line.text)}${linked(line.link)}`;
};

const fieldOf = (field: Sheet['fields'][number], words: SheetWords, tools: Tools): string => {
  const since =
    field.since === undefined ? '' : `, ${words.parts.since} ${tools.date(field.since)}`;
  const missing =
    field.missing.length === 0
      ? words.parts.nothingMissing
      : field.missing.map(({ text }) => escaped(text)).join('; ');
  return [
    `## ${field.number}. ${field.title}`,
    `*${words.is[field.is]}${since}*`,
    field.lines.map((line) => lineOf(line, words, tools)).join('\n'),
    `**${words.parts.missing}**: ${missing}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const ownerOf = ({ owner }: Sheet, words: SheetWords, tools: Tools): string => {
  const name = owner.name === undefined ? words.parts.nobody : escaped(owner.name);
  return owner.leaseEnd === undefined
    ? name
    : `${name}, ${words.parts.until} ${tools.date(owner.leaseEnd)}`;
};

export const markdownOf = (sheet: Sheet): string => {
  const words = sheetWords(sheet.language);
  const tools = toolsFor(sheet.language);
  const { parts } = words;
  return `${[
    frontMatter(sheet),
    `# ${escaped(sheet.title)}`,
    [
      escaped(sheet.stateAt),
      `**${parts.state}**: ${escaped(sheet.state.text)}`,
      `**${parts.owner}**: ${ownerOf(sheet, words, tools)}`,
      `**${parts.head}**: ${sheet.head}`,
      `**${parts.link}**:${linked(sheet.permalink)}`,
    ].join('  \n'),
    ...sheet.fields.map((field) => fieldOf(field, words, tools)),
  ].join('\n\n')}\n`;
};
