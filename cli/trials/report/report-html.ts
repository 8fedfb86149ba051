// The report as one HTML file: no script, nothing fetched, readable on a screen and on paper. Owns: that form. Whatever came
// from outside is escaped.
import { type Say, sayIn } from '../../kit/speech.ts';
import type { Part, PartExhibit, Report, ToolReport, Trial } from './report.ts';
import { headings, verdictWord } from './report-words.ts';

const escapes: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const safe = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const json = (value: unknown): string => `<pre>${safe(JSON.stringify(value, undefined, 2))}</pre>`;
const list = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>`;

const style = `
:root { color-scheme: light dark; --line: #8886; --pass: #0a6b2d; --fail: #b00020; --open: #6b5200; }
@media (prefers-color-scheme: dark) { :root { --pass: #6fd08c; --fail: #ff8a80; --open: #e6c35c; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
h1, h2, h3, h4 { line-height: 1.25; }
h2 { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 1.25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: max-content 1fr; margin: .5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
pre { background: #8882; border-radius: 4px; font-size: 12px; overflow-wrap: anywhere; padding: .6rem; white-space: pre-wrap; }
section.part { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; padding: .25rem 1rem; }
.v { font-weight: 700; white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .not_run { color: var(--open); }
summary { cursor: pointer; }
@media print {
  @page { margin: 14mm; size: A4; }
  body { font-size: 10.5pt; max-width: none; padding: 0; }
  section.part { break-inside: avoid-page; }
  details > :not(summary) { display: block; }
}`;

const signs = { pass: '✔', fail: '✘', not_run: '○', does_not_apply: '–' } as const;
const verdict = ({ verdict: word }: Pick<Part, 'verdict'>, say: Say): string =>
  `<span class="v ${word}">${signs[word]} ${safe(verdictWord(word, say))}</span>`;

const row = (name: string, value: string): string => `<dt>${safe(name)}</dt><dd>${value}</dd>`;

const exhibitHtml = (exhibit: PartExhibit, say: Say): string => {
  const words = headings(say);
  const { objects, proxy } = exhibit;
  const count = objects.count === undefined ? words.notCounted : String(objects.count);
  const asked = objects.tool === undefined ? '' : ` <code>${safe(objects.tool)}</code>`;
  const counted = `${count}${asked} ${safe(objects.because ?? '')}`;
  const calls = `${proxy.received} ${words.received}, ${proxy.forwarded} ${words.forwarded}, ${proxy.answered} ${words.answered}, ${proxy.delivered} ${words.delivered}`;
  const state = `${exhibit.effect}, ${exhibit.disposition}, ${exhibit.attempts}`;
  return `<h5>${safe(words.exhibit)}</h5><dl>
${row(words.reference, `<code>${safe(exhibit.actionId ?? '')}</code> (${safe(state)})`)}
${row(words.objects, counted)}
${row(words.proxy, safe(calls))}
${exhibit.told === undefined ? '' : row(words.told, safe(exhibit.told))}
</dl>
${objects.found.length === 0 ? '' : json(objects.found)}
<details><summary>${safe(words.journal)}</summary><pre>${safe(exhibit.journal.join('\n'))}</pre></details>
${exhibit.answers.length === 0 ? '' : `<details><summary>${safe(words.answers)}</summary>${json(exhibit.answers)}</details>`}`;
};

const partHtml = (part: Part, say: Say): string => {
  const words = headings(say);
  return `<section class="part"><h4>${safe(part.title)} ${verdict(part, say)}</h4><dl>
${row(words.expected, safe(part.expected))}
${part.observed.length === 0 ? '' : row(words.observed, list(part.observed))}
${part.because.length === 0 ? '' : row(words.because, list(part.because))}
</dl>${part.exhibit === undefined ? '' : exhibitHtml(part.exhibit, say)}</section>`;
};

const trialHtml = (trial: Trial, number: number, say: Say): string =>
  `<h3>${number}. ${safe(trial.title)} ${verdict(trial, say)}</h3>
${trial.parts.map((part) => partHtml(part, say)).join('\n')}`;

const tableHtml = ({ trials }: ToolReport, say: Say): string => {
  const words = headings(say);
  const rows = trials.map(
    (trial, index) =>
      `<tr><td>${index + 1}</td><td>${safe(trial.title)}</td><td>${verdict(trial, say)}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">#</th><th scope="col">${safe(words.trial)}</th><th scope="col">${safe(words.verdict)}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
};

const toolHtml = (tool: ToolReport, say: Say): string => {
  const words = headings(say);
  const { provider, account, environment, apiVersion } = tool.destination;
  const verification =
    tool.verification === undefined
      ? ''
      : `<p>${safe(words.verification)}</p>${json({ verification: tool.verification })}`;
  return `<h2>${safe(tool.tool)} ${verdict(tool, say)}</h2>
<p>${safe(words.destination)}: ${safe(`${provider}, ${account}, ${environment}, ${apiVersion}`)} (${safe(tool.transport)})</p>
${tableHtml(tool, say)}
<h3>${safe(words.checks)}</h3>
${tool.checks.map((part) => partHtml(part, say)).join('\n')}
${tool.trials.map((trial, index) => trialHtml(trial, index + 1, say)).join('\n')}
<h3>${safe(words.notes)}</h3>${list(tool.notes)}
${tool.notTried.length === 0 ? '' : `<h3>${safe(words.notTried)}</h3>${list(tool.notTried.map(({ what, costs }) => `${what} ${costs}`))}`}
<h3>${safe(words.left)}</h3>${list(tool.left)}
${verification}
<details><summary>${safe(words.contract)}</summary>${json(tool.contract)}</details>`;
};

export const reportHtml = (report: Report): string => {
  const say = sayIn(report.language);
  const words = headings(say);
  return `<!doctype html>
<html lang="${report.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(words.title)}: ${safe(report.tools.map(({ tool }) => tool).join(', '))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${safe(words.title)} ${verdict(report, say)}</h1>
<p>${safe(report.summary)}</p>
<dl>
${row(words.environment, safe(report.environment))}
${row(words.from, `${safe(report.startedAt)} ${safe(words.to)} ${safe(report.endedAt)}`)}
</dl>
${report.tools.map((tool) => toolHtml(tool, say)).join('\n')}
</main>
</body>
</html>
`;
};
