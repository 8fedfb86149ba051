// The report as Markdown, for a pull request or a wiki. Owns: that form.
import { type Say, sayIn } from '../../kit/speech.ts';
import type { Part, Report, ToolReport } from './report.ts';
import { headings, verdictWord } from './report-words.ts';

const mark = { pass: '✔', fail: '✘', not_run: '○', does_not_apply: '–' } as const;

/** A text from outside, which must not become structure. */
const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>|#]/g, '\\$&');

const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

const exhibitLines = ({ exhibit }: Part, say: Say): string[] => {
  if (exhibit === undefined) return [];
  const words = headings(say);
  const { objects, proxy } = exhibit;
  const count = objects.count === undefined ? words.notCounted : String(objects.count);
  return [
    `**${words.exhibit}**`,
    '',
    `- ${words.reference}: \`${exhibit.actionId ?? ''}\` (${exhibit.effect}, ${exhibit.disposition}, ${exhibit.attempts})`,
    `- ${words.objects}: ${count}${objects.tool === undefined ? '' : ` (\`${objects.tool}\`)`}`,
    `- ${words.proxy}: ${proxy.received} ${words.received}, ${proxy.forwarded} ${words.forwarded}, ${proxy.answered} ${words.answered}, ${proxy.delivered} ${words.delivered}`,
    '',
    ...(objects.found.length === 0
      ? []
      : [fenced(JSON.stringify(objects.found, undefined, 2)), '']),
    fenced(exhibit.journal.join('\n')),
    '',
  ];
};

const partLines = (part: Part, level: string, say: Say): string[] => {
  const words = headings(say);
  return [
    `${level} ${mark[part.verdict]} ${plain(part.title)}: ${verdictWord(part.verdict, say)}`,
    '',
    `**${words.expected}** ${plain(part.expected)}`,
    '',
    ...(part.observed.length === 0
      ? []
      : [`**${words.observed}**`, '', ...part.observed.map((line) => `- ${plain(line)}`), '']),
    ...(part.because.length === 0
      ? []
      : [`**${words.because}**`, '', ...part.because.map((line) => `- ${plain(line)}`), '']),
    ...exhibitLines(part, say),
  ];
};

const toolLines = (tool: ToolReport, say: Say): string[] => {
  const words = headings(say);
  const { provider, account, environment, apiVersion } = tool.destination;
  return [
    `## ${tool.tool}: ${verdictWord(tool.verdict, say)}`,
    '',
    `${words.destination}: ${plain(`${provider}, ${account}, ${environment}, ${apiVersion}`)} (${tool.transport})`,
    '',
    `| ${words.trial} | ${words.verdict} |`,
    '|---|---|',
    ...tool.trials.map((one) => `| ${plain(one.title)} | ${verdictWord(one.verdict, say)} |`),
    '',
    `### ${words.checks}`,
    '',
    ...tool.checks.flatMap((part) => partLines(part, '####', say)),
    `### ${words.trials}`,
    '',
    ...tool.trials.flatMap((trial) => [
      `#### ${plain(trial.title)}: ${verdictWord(trial.verdict, say)}`,
      '',
      ...trial.parts.flatMap((part) => partLines(part, '#####', say)),
    ]),
    `### ${words.notes}`,
    '',
    ...tool.notes.map((note) => `- ${plain(note)}`),
    '',
    ...(tool.notTried.length === 0
      ? []
      : [
          `### ${words.notTried}`,
          '',
          ...tool.notTried.map(({ what, costs }) => `- ${plain(what)} ${plain(costs)}`),
          '',
        ]),
    `### ${words.left}`,
    '',
    ...tool.left.map((one) => `- ${plain(one)}`),
    '',
    ...(tool.verification === undefined
      ? []
      : [
          words.verification,
          '',
          fenced(JSON.stringify({ verification: tool.verification }, undefined, 2)),
          '',
        ]),
    `### ${words.contract}`,
    '',
    fenced(JSON.stringify(tool.contract, undefined, 2)),
    '',
  ];
};

export const reportMarkdown = (report: Report): string => {
  const say = sayIn(report.language);
  const words = headings(say);
  return [
    `# ${words.title}`,
    '',
    plain(report.summary),
    '',
    `${words.environment}: ${plain(report.environment)}. ${words.from} ${report.startedAt} ${words.to} ${report.endedAt}. ${report.product}.`,
    '',
    ...report.tools.flatMap((tool) => toolLines(tool, say)),
  ].join('\n');
};
